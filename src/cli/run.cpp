#include "cli/run.h"

#include <algorithm>
#include <filesystem>
#include <ios>
#include <new>

#include "answers/answer.h"
#include "base/build_info.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/agents_page.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "model/json.h"
#include "store/open.h"

namespace explog::cli {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

// Here alone is what an error quotes made harmless for terminals.
int report(const Error& e, const Context& context) {
  if (context.json) {
    JsonWriter json;
    answers::begin_answer(json);
    json.key("error");
    json.begin_object();
    json.field("code", e.code);
    json.field("exit", static_cast<int>(e.exit));
    json.field("message", printable(e.what(), false));
    json.field("hint", printable(e.hint, false));
    json.field("retryable", e.retryable());
    json.end_object();
    json.end_object();
    context.terminal.err << json.str() << '\n';
  } else {
    context.terminal.err << "explog: " << printable(e.what()) << '\n';
    if (!e.hint.empty()) context.terminal.err << "  hint: " << printable(e.hint) << '\n';
  }
  return static_cast<int>(e.exit);
}

int print_version(const Context& context) {
  if (!context.json) {
    context.terminal.out << "explog " << EXPLOG_VERSION << " (commit " << build_commit() << ", schema "
                         << store::schema_version << ", SQLite " << sql::version() << ")\n";
    return 0;
  }
  JsonWriter json;
  answers::begin_answer(json);
  json.field("version", EXPLOG_VERSION);
  json.field("commit", build_commit());
  json.field("schema", store::schema_version);
  json.field("sqlite", sql::version());
  json.end_object();
  context.terminal.out << json.str() << '\n';
  return 0;
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
    if (args[i] == "--version") return print_version(context);
  }
  auto width = static_cast<std::size_t>(std::min(context.terminal.width, 120));
  if (asks_help && (args.size() < 2 || args[0] != "help"))
    return print_overview(context.terminal.out, width), 0;
  if (asks_help && args[1] == "agents") return print_agents_page(context.terminal.out), 0;
  if (asks_help && args[1] == "words") return print_glossary(context.terminal.out, width), 0;
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
  Arguments arguments(std::string(command->summary), name);
  add_global_flags(arguments, context);
  Action action = command->setup(arguments);
  if (!arguments.parse(args)) {
    print_command_help(context.terminal.out, *command, arguments, width);
    return 0;
  }
  context.connect();
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
