// Completion scripts for shells.
#pragma once
#include <ostream>
#include <vector>

#include "cli/described.h"

namespace explog::cli {

void print_bash(std::ostream& out, const std::vector<Described>& all);
void print_zsh(std::ostream& out, const std::vector<Described>& all);
void print_fish(std::ostream& out, const std::vector<Described>& all);

}  // namespace explog::cli
