#include "cli/described.h"

namespace explog::cli {

std::vector<Described> describe_commands() {
  std::vector<Described> all;
  for (const Command& command : commands()) {
    Arguments arguments(std::string(command.summary), std::string(command.name));
    Action keeps_options_alive = command.setup(arguments);
    Described described{&command, {}, {}};
    for (OptionInfo& option : arguments.options())
      (option.names.empty() ? described.arguments : described.flags).push_back(std::move(option));
    all.push_back(std::move(described));
  }
  return all;
}

}  // namespace explog::cli
