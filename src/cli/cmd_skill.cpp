// skill: the skill for agents, printed, or put where their programs look for it.
#include <memory>

#include "answers/answer.h"
#include "answers/skill.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct SkillFlags {
  std::string action, reference, client = "agents", scope = "project", to;
};

std::string root_of(const SkillFlags& o) {
  if (!o.to.empty()) return o.to;
  if (o.scope == "project") return ".";
  std::string home = env("HOME");
  if (home.empty()) throw Error(Exit::usage, "skill: HOME is not set", "--to DIR names the folder");
  return home;
}

// What stands in the way is exit code 1: files that somebody changed; for `check` all that are not as they should be.
int run_skill(const SkillFlags& o, const Context& context) {
  if (o.action == "print") {
    std::string text = app::skill_text(o.reference);
    context.terminal.out << (context.json ? answers::answer_of({{"text", text}}) : text);
    return 0;
  }
  if (!o.reference.empty())
    throw Error(Exit::usage, "skill " + o.action + " takes no file", "skill print cuda");
  auto act = o.action == "install"     ? app::install_skill
             : o.action == "uninstall" ? app::uninstall_skill
                                       : app::check_skill;
  auto states = act(o.client, root_of(o));
  if (context.json)
    context.terminal.out << answers::skill_json(states) << '\n';
  else
    answers::print_skill(context.terminal, states);
  for (const app::SkillState& state : states) {
    bool wanted = o.action == "check" ? state.word == "current" : !state.left_alone();
    if (!wanted) return static_cast<int>(Exit::negative);
  }
  return 0;
}

}  // namespace

Action setup_skill(Arguments& arguments) {
  auto o = std::make_shared<SkillFlags>();
  arguments.option("action", o->action, "what to do")
      .type_name("ACTION")
      .required()
      .one_of({"print", "install", "check", "uninstall"});
  arguments
      .option("file", o->reference, "print: a reference instead of SKILL.md: cuda, triton, cutile, cutedsl")
      .type_name("FILE")
      .suggests(app::skill_references());
  arguments.option("--client", o->client, "whose folder").one_of(app::skill_clients()).show_default();
  arguments.option("--scope", o->scope, "this folder, or the home folder")
      .one_of({"project", "user"})
      .show_default();
  arguments.option("--to", o->to, "another root folder").type_name("DIR");
  return [o](Context& context) { return run_skill(*o, context); };
}

}  // namespace explog::cli
