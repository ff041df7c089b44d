#include "cli/run.h"

#include <algorithm>
#include <filesystem>
#include <ios>
#include <new>
#include <sstream>

#include "answers/answer.h"
#include "base/build_info.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/agents_page.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/help_json.h"
#include "model/json.h"
#include "store/open.h"

namespace explog::cli {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

int report(const Error& e, const Context& context) {
  context.end_progress();
  if (context.json) {
    context.terminal.err << answers::error_json(e) << '\n';
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

// A page of help that is no command's; "" is the overview. False where there is none of this name.
bool print_page(const std::string& name, size_t width, const Context& context) {
  std::ostringstream text;
  if (name.empty()) print_overview(text, width);
  if (name == "agents") print_agents_page(text);
  if (name == "words") print_glossary(text, width);
  if (text.str().empty()) return false;
  std::ostream& out = context.terminal.out;
  if (!context.json) return out << text.str(), true;
  if (name == "agents") return out << answers::answer_of({{"text", text.str()}}), true;
  out << (name.empty() ? overview_json() : glossary_json()) << '\n';
  return true;
}

// Of `args`, which are flags alone: an unknown one is likelier a slip than all that is missing.
[[noreturn]] void refuse_without_command(const std::vector<std::string>& args) {
  static const std::vector<std::string> global = {"--db",       "--data",    "--json", "--quiet",
                                                  "--no-color", "--version", "--help"};
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string name = args[i].substr(0, args[i].find('='));
    if (std::find(global.begin(), global.end(), name) == global.end() && name != "-h")
      throw Error(Exit::usage, "unknown option " + printable(name) + did_you_mean(name, global),
                  "explog --help lists them");
    if (args[i] == "--db" || args[i] == "--data") ++i;
  }
  throw Error(Exit::usage, "no command given", "explog --help lists them");
}

// It may add strategies, tasks, or both; one with neither is a slip.
void check_data_folder(const std::string& data) {
  namespace fs = std::filesystem;
  if (data.empty()) return;
  if (!fs::is_directory(data)) throw Error(Exit::usage, "--data: there is no folder " + printable(data));
  if (!fs::is_directory(data + "/strategies") && !fs::is_directory(data + "/kernels"))
    throw Error(Exit::usage, "--data: " + printable(data) + " has neither a folder strategies/ nor kernels/",
                "name the folder that they lie in; --db names a database");
}

int dispatch(std::vector<std::string> args, Context& context) {
  bool asks_help = args.empty() || args[0] == "help";
  size_t at = find_command_position(args);
  for (size_t i = 0; i < std::min(at, args.size()); ++i) {
    asks_help |= args[i] == "--help" || args[i] == "-h";
    if (args[i] == "--version") return print_version(context);
  }
  auto width = static_cast<std::size_t>(std::min(context.terminal.width, 120));
  if (asks_help) {
    std::erase(args, "--json");
    bool names_one = args.size() > 1 && args[0] == "help";
    if (print_page(names_one ? args[1] : "", width, context)) return 0;
    args = {args[1], "--help"};
    at = 0;
  }
  if (at == args.size()) refuse_without_command(args);
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
    if (context.json)
      context.terminal.out << command_json(*command, arguments) << '\n';
    else
      print_command_help(context.terminal.out, *command, arguments, width);
    return 0;
  }
  check_data_folder(context.session.data_dir);
  context.connect();
  return action(context);
}

}  // namespace

int run(const std::vector<std::string>& args, Context& context) {
  bool json = std::find(args.begin(), args.end(), "--json") != args.end();
  context.json = context.terminal.json = json;  // also for errors in the arguments
  try {
    return dispatch(args, context);
  } catch (const Error& e) {
    return report(e, context);
  } catch (const JsonError& e) {
    return report(Error(Exit::usage, e.what()), context);
  } catch (const std::bad_alloc&) {
    return report(Error(Exit::store, "out of memory"), context);
  } catch (const std::filesystem::filesystem_error& e) {
    return report(Error(Exit::unavailable, e.path1().string() + ": " + e.code().message()), context);
  }
}

}  // namespace explog::cli
