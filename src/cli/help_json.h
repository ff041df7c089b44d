// What --help says, for programs.
#pragma once
#include <string>

#include "cli/commands.h"

namespace explog::cli {

// All commands, the global options and the exit codes.
std::string overview_json();
// One command: its options with their values, and examples.
std::string command_json(const Command& command, const Arguments& arguments);
// The words that answers use.
std::string glossary_json();

}  // namespace explog::cli
