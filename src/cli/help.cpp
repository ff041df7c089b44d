#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/wrap.h"
#include "base/text.h"
#include "cli/examples.h"
#include "cli/glossary.h"

namespace explog::cli {
namespace {

constexpr std::size_t widest_names = 30;  // longer ones have a line of their own

// A name and what it means, side by side.
void print_entry(std::ostream& out, const std::string& name, const std::string& help, std::size_t column,
                 std::size_t width) {
  auto lines = answers::wrapped(help, width > column + 24 ? width - column : 24);
  bool beside = name.size() + 4 <= column;
  out << "  " << name;
  std::size_t used = 2 + name.size();
  if (!beside) out << '\n', used = 0;
  for (const std::string& line : lines) {
    out << std::string(column - used, ' ') << line << '\n';
    used = 0;
  }
  if (lines.empty() && beside) out << '\n';
}

void print_group(std::ostream& out, const std::string& title, const std::vector<OptionInfo>& options,
                 const std::string& group, bool positional, std::size_t width) {
  std::size_t column = 0;
  std::vector<const OptionInfo*> shown;
  for (const OptionInfo& option : options) {
    if (option.group != group || option.names.empty() != positional) continue;
    shown.push_back(&option);
    column = std::max(column, std::min(widest_names, option_form(option).size()));
  }
  if (shown.empty()) return;
  out << '\n' << title << ":\n";
  for (const OptionInfo* option : shown)
    print_entry(out, option_form(*option), full_help(*option), column + 4, width);
}

std::vector<std::string> groups_of(const std::vector<OptionInfo>& options) {
  std::vector<std::string> groups;
  for (const OptionInfo& option : options) {
    if (option.group.empty() || option.group == global_group) continue;
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

}  // namespace

std::string option_form(const OptionInfo& option) {
  if (option.names.empty()) return option.value + (option.many ? "..." : "");
  return join(option.names, ", ") + (option.value.empty() ? "" : " " + option.value);
}

std::string full_help(const OptionInfo& option) {
  std::string text = (option.required ? "required: " : "") + option.help;
  if (!option.words.empty()) {
    // What the help or the form lists already is not said twice.
    bool listed = std::all_of(option.words.begin(), option.words.end(), [&](const std::string& word) {
      return option.help.find(word) != std::string::npos || option.value.find(word) != std::string::npos;
    });
    if (!listed) text += " (" + join(option.words, ", ") + ")";
  }
  if (!option.fallback.empty()) text += " [" + option.fallback + "]";
  return text;
}

void print_overview(std::ostream& out, std::size_t width) {
  out << "explog - the memory and the judge of GPU kernel optimisation\n\nUsage: explog COMMAND "
         "[OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands())
    print_entry(out, std::string(command.name), std::string(command.summary), 14, width);
  print_group(out, "Global options", global_options(), global_group, false, width);
  out << '\n';
  for (const std::string& line : answers::wrapped(
           "`explog help COMMAND` describes one command with examples, `explog help words` the words of the "
           "answers, `explog man` all of it. Exit codes: 0 done, 1 negative answer, 2 usage, 3 store "
           "unusable, 4 not available here, 5 remote failed, 6 records refused, 7 crash, 8 inconclusive, "
           "75 preempted (go on later), 130 interrupted.",
           width))
    out << line << '\n';
}

void print_command_help(std::ostream& out, const Command& command, const Arguments& arguments,
                        std::size_t width) {
  for (const std::string& line : answers::wrapped(command.summary, width)) out << line << '\n';
  out << '\n';
  std::string usage = fmt::format("explog {} {}", command.name, command.form);
  for (const std::string& line : answers::wrapped(usage, width - 7))
    out << (line[0] == 'e' ? "Usage: " : "       ") << line << '\n';
  auto options = arguments.options();
  print_group(out, "Arguments", options, "", true, width);
  print_group(out, "Options", options, "", false, width);
  for (const std::string& group : groups_of(options)) print_group(out, group, options, group, false, width);
  out << '\n';
  for (const std::string& line : answers::wrapped(
           "Global: --db PATH, --data DIR, --json, --quiet, --no-color (see explog --help)", width))
    out << line << '\n';
  auto examples = examples_of(command.name);
  if (!examples.empty()) out << "\nExamples:\n";
  for (std::string_view example : examples) out << "  " << example << '\n';
}

void print_glossary(std::ostream& out, std::size_t width) {
  for (const Word& word : glossary())
    print_entry(out, std::string(word.word), std::string(word.meaning), 20, width);
}

}  // namespace explog::cli
