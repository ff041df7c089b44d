#include "cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ios>
#include <new>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "model/json.h"

namespace explog::cli {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

void print_help(std::ostream& out) {
  out << "explog - the memory and the judge of GPU kernel optimisation\n\nUsage: explog COMMAND "
         "[OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands())
    out << fmt::format("  {:<11} {}\n", command.name, command.summary);
  out << "\nGlobal options:\n"
         "  --db PATH   the database (else $EXPLOG_DB, else $XDG_DATA_HOME/explog/explog.db)\n"
         "  --data DIR  folder whose strategies/ add to and win over the built-in ones\n"
         "  --json      one JSON document on standard output\n"
         "  --quiet     no warnings and notes on standard error\n"
         "  --no-color  no colours (also: NO_COLOR)\n"
         "  --version   the version\n\n"
         "`explog COMMAND --help` describes one command. Exit codes: 0 done, 1 negative answer, 2 usage, 3 "
         "store unusable,\n"
         "4 not available here, 5 remote failed, 6 records refused, 7 crash, 8 inconclusive, 130 "
         "interrupted.\n";
}

int report(const Error& e, const Context& context) {
  if (context.json) {
    JsonWriter json;
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.key("exit"), json.number(static_cast<int>(e.exit));
    json.key("message"), json.text(e.what());
    if (!e.hint.empty()) json.key("hint"), json.text(e.hint);
    json.end_object();
    json.end_object();
    context.err << json.str() << '\n';
  } else {
    context.err << "explog: " << printable(e.what()) << '\n';
    if (!e.hint.empty()) context.err << "  hint: " << printable(e.hint) << '\n';
  }
  return static_cast<int>(e.exit);
}

// CLI11 names what is wrong; an unknown option gets the nearest one added.
Error usage_error(const CLI::ParseError& e, const CLI::App& app, const std::string& command) {
  std::string message = e.what();
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  std::string unknown;
  for (std::string_view word : split(message, ' ')) {
    if (word.substr(0, 2) == "--") unknown = word.substr(0, word.find('='));
  }
  bool extras = dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr;
  if (extras && !unknown.empty())
    message = "unknown option " + unknown + did_you_mean(unknown, known);
  else if (extras)
    message = "unexpected argument: " + std::string(trim(message.substr(message.find(':') + 1)));
  return {Exit::usage, command + ": " + message, "explog " + command + " --help"};
}

// The command's name may stand behind global flags.
size_t find_command_position(const std::vector<std::string>& args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--db" || args[i] == "--data") {
      ++i;
    } else if (args[i].empty() || args[i][0] != '-') {
      return i;
    }
  }
  return args.size();
}

int dispatch(std::vector<std::string> args, Context& context) {
  bool asks_help = args.empty() || args[0] == "help";
  size_t at = find_command_position(args);
  for (size_t i = 0; i < std::min(at, args.size()); ++i) {
    asks_help |= args[i] == "--help" || args[i] == "-h";
    if (args[i] == "--version") {
      context.out << "explog " << EXPLOG_VERSION << " (SQLite " << sql::version() << ")\n";
      return 0;
    }
  }
  if (asks_help && (args.size() < 2 || args[0] != "help")) return print_help(context.out), 0;
  if (args[0] == "help") {
    args = {args[1], "--help"};
    at = 0;
  }
  if (at == args.size()) throw Error(Exit::usage, "no command given", "explog --help lists them");
  std::string name = args[at];
  const Command* command = find_command(name);
  if (command == nullptr) {
    throw Error(Exit::usage, "no command '" + printable(name) + "'" + did_you_mean(name, command_names()),
                "explog --help lists them");
  }
  args.erase(args.begin() + static_cast<std::ptrdiff_t>(at));
  CLI::App app{std::string(command->summary), "explog " + name};
  app.footer(fmt::format("\nUsage: explog {} {}", name, command->form));
  add_global_flags(app, context);
  Action action = command->setup(app);
  std::reverse(args.begin(), args.end());  // CLI11 takes them from the back
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp&) {
    context.out << trim(app.help()) << '\n';
    return 0;
  } catch (const CLI::ParseError& e) {
    throw usage_error(e, app, name);
  }
  return action(context);
}

}  // namespace

int run(const std::vector<std::string>& args, Context& context) {
  context.json =
      std::find(args.begin(), args.end(), "--json") != args.end();  // also for errors in the arguments
  try {
    return dispatch(args, context);
  } catch (const Error& e) {
    return report(e, context);
  } catch (const JsonError& e) {
    return report(Error(Exit::usage, e.what()), context);
  } catch (const std::bad_alloc&) {
    return report(Error(Exit::store, "out of memory"), context);
  } catch (const std::filesystem::filesystem_error& e) {
    return report(Error(Exit::unavailable, e.what()), context);
  }
}

}  // namespace explog::cli
