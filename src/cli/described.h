// Every command with its options, as completions and the manual describe them.
#pragma once
#include <vector>

#include "cli/commands.h"

namespace explog::cli {

struct Described {
  const Command* command;
  std::vector<OptionInfo> arguments;  // positional ones
  std::vector<OptionInfo> flags;      // without the global ones
};

std::vector<Described> describe_commands();

}  // namespace explog::cli
