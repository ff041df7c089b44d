// launch: the workers of a plan: here, on other hosts by ssh, or as jobs of Slurm.
#include <algorithm>
#include <memory>

#include "answers/answer.h"
#include "app/launch/launch.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/plan_flags.h"

namespace explog::cli {
namespace {

struct LaunchFlags {
  std::vector<std::string> words;
  app::LaunchOptions launch;
  bool dry_run = false;
};

constexpr const char* example =
    "explog launch local --shards 4 -- campaign start --plan nightly.json --out DIR";

// The command behind the engine and its hosts: it is not run as such, it says which plan is meant.
void read_command(const std::vector<std::string>& words, app::LaunchOptions& o) {
  PlanFlags flags;
  std::vector<std::string> actions;
  Arguments arguments("the command of a launch", "launch");
  arguments.option("action", actions, "start, resume");
  arguments.option("--out", flags.start.out, "the plan's folder");
  flags.add_to(arguments);
  arguments.parse({words.begin() + 1, words.end()});
  bool known = words[0] == "tune" ? actions.empty()
                                  : actions.size() == 1 && (actions[0] == "start" || actions[0] == "resume");
  if (!known || flags.start.out.empty() || (flags.start.file.empty() && words[0] == "tune"))
    throw Error(Exit::usage,
                "launch: the command is campaign start --plan FILE --out DIR, campaign resume --out DIR, or "
                "tune --plan FILE --out DIR",
                example);
  if (actions == std::vector<std::string>{"resume"}) flags.start.file.clear();
  o.plan = flags.start;
  if (words[0] == "tune") o.plan.kind = launch::ItemKind::tune;
}

void read_words(const std::vector<std::string>& words, app::LaunchOptions& o) {
  auto is_command = [](const std::string& word) { return word == "campaign" || word == "tune"; };
  auto command = std::find_if(words.begin(), words.end(), is_command);
  if (words.empty() || command == words.begin())
    throw Error(Exit::usage, "launch: name an engine and the command", example);
  const std::vector<std::string> engines = {"local", "ssh", "slurm"};
  auto engine = std::find(engines.begin(), engines.end(), words[0]);
  if (engine == engines.end())
    throw Error(Exit::usage,
                "launch: no engine '" + printable(words[0]) + "'" + did_you_mean(words[0], engines),
                "one of local, ssh HOST..., slurm");
  if (command == words.end())
    throw Error(Exit::usage, "launch " + words[0] + ": name the command that the workers run", example);
  o.engine = static_cast<app::Engine>(engine - engines.begin());
  o.hosts.assign(words.begin() + 1, command);
  if (o.hosts.empty() == (o.engine == app::Engine::ssh))
    throw Error(Exit::usage,
                o.hosts.empty()
                    ? "launch ssh: name the hosts"
                    : "launch " + words[0] + ": it takes no hosts, not '" + printable(o.hosts[0]) + "'",
                example);
  if (o.shards < 1 || o.shards > 100'000) throw Error(Exit::usage, "launch: --shards: 1 to 100000 workers");
  read_command({command, words.end()}, o);
}

int launch(const LaunchFlags& options, const Context& context) {
  app::LaunchOptions o = options.launch;
  read_words(options.words, o);
  if (options.dry_run) {
    app::LaunchScript planned = app::describe_launch(o);
    context.terminal.out << (context.json
                                 ? answers::answer_of({{"file", planned.path}, {"script", planned.script}})
                                 : planned.script);
    return 0;
  }
  o.silent = context.json;
  app::LaunchScript made = app::prepare_launch(o, context.session);
  if (o.engine == app::Engine::local) {
    int code = app::work_here(o, context.session);
    if (context.json) show_plan(o.plan.out, context);
    return code;
  }
  if (o.engine == app::Engine::ssh) context.terminal.out.flush(), app::become_ssh(made);
  std::string said = app::submit_to_slurm(made);
  if (context.json)
    context.terminal.out << answers::answer_of({{"file", made.path}, {"said", said}});
  else
    context.terminal.print({said});
  return 0;
}

}  // namespace

Action setup_launch(Arguments& arguments) {
  auto o = std::make_shared<LaunchFlags>();
  arguments.option("words", o->words, "local, ssh HOST..., or slurm; then the command that names the plan")
      .type_name("ENGINE [HOST...] -- COMMAND")
      .suggests({"local", "ssh", "slurm", "campaign", "tune"});
  arguments.option("--shards", o->launch.shards, "workers: here, on each host, or jobs of Slurm")
      .type_name("N");
  arguments.flag("--dry-run", o->dry_run, "print the script, or the workers' commands, and run nothing");
  arguments
      .option("--pass", o->launch.pass,
              "an option of ssh or sbatch, as it is: --pass=--time=4:00:00 (repeat it)")
      .one_word()
      .type_name("OPTION");
  arguments
      .option("--setup", o->launch.setup, "a line of shell before a worker: 'module load cuda' (repeat it)")
      .one_word()
      .type_name("LINE");
  return [o](Context& context) { return launch(*o, context); };
}

}  // namespace explog::cli
