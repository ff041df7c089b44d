// What --help prints, fitted to a width.
#pragma once
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace explog::cli {

// All commands and the global options.
void print_overview(std::ostream& out, std::size_t width);
// One command: usage, options, examples.
void print_command_help(std::ostream& out, const Command& command, const Arguments& arguments,
                        std::size_t width);
// The words that answers use, each with its meaning.
void print_glossary(std::ostream& out, std::size_t width);

// What the help of an option says behind its name: "required; one of a, b; 10 without it".
std::string full_help(const OptionInfo& option);
// "-n, --limit N"; a positional argument is its value's name.
std::string option_form(const OptionInfo& option);

}  // namespace explog::cli
