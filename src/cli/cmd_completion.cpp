// completion: a shell's script, or the values that it asks for.
#include <memory>
#include <sstream>

#include "answers/answer.h"
#include "app/known_values.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/shells.h"

namespace explog::cli {
namespace {

struct CompletionFlags {
  std::string shell, kind;
};

void print_script(std::ostream& out, const std::string& shell) {
  if (shell == "bash") print_bash(out, describe_commands());
  if (shell == "zsh") print_zsh(out, describe_commands());
  if (shell == "fish") print_fish(out, describe_commands());
}

void print_json(const CompletionFlags& o, const Context& context) {
  JsonWriter json;
  answers::begin_answer(json);
  if (o.kind.empty()) {
    std::ostringstream script;
    print_script(script, o.shell);
    json.field("shell", o.shell);
    json.field("script", script.str());
  } else {
    json.field("kind", o.kind);
    json.field("values", app::values_of(o.kind, context.session));
  }
  json.end_object();
  context.terminal.out << json.str() << '\n';
}

int run_completion(const CompletionFlags& o, Context& context) {
  if (o.shell.empty() == o.kind.empty())
    throw Error(Exit::usage, "completion: name a shell", "explog completion bash, zsh or fish");
  if (context.json) return print_json(o, context), 0;
  for (const std::string& value : app::values_of(o.kind, context.session))
    context.terminal.out << printable(value) << '\n';
  print_script(context.terminal.out, o.shell);
  return 0;
}

}  // namespace

Action setup_completion(Arguments& arguments) {
  auto o = std::make_shared<CompletionFlags>();
  arguments.option("shell", o->shell, "bash, zsh or fish").type_name("SHELL").one_of({"bash", "zsh", "fish"});
  arguments.option("--values", o->kind, "list the values of a kind, as the completions do")
      .type_name("KIND")
      .one_of(app::value_kinds());
  return [o](Context& context) { return run_completion(*o, context); };
}

}  // namespace explog::cli
