// completion: a shell's script, or the values that it asks for.
#include <memory>

#include "app/known_values.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/shells.h"

namespace explog::cli {
namespace {

struct Options {
  std::string shell, kind;
};

int run_completion(const Options& o, Context& context) {
  if (o.shell.empty() == o.kind.empty())
    throw Error(Exit::usage, "completion: name a shell", "explog completion bash, zsh or fish");
  for (const std::string& value : app::values_of(o.kind, context.session))
    context.terminal.out << printable(value) << '\n';
  if (o.shell == "bash") print_bash(context.terminal.out, describe_commands());
  if (o.shell == "zsh") print_zsh(context.terminal.out, describe_commands());
  if (o.shell == "fish") print_fish(context.terminal.out, describe_commands());
  return 0;
}

}  // namespace

Action setup_completion(Arguments& arguments) {
  auto o = std::make_shared<Options>();
  arguments.option("shell", o->shell, "bash, zsh or fish").type_name("SHELL").one_of({"bash", "zsh", "fish"});
  arguments.option("--values", o->kind, "list the values of a kind, as the completions do")
      .type_name("KIND")
      .one_of(app::value_kinds());
  return [o](Context& context) { return run_completion(*o, context); };
}

}  // namespace explog::cli
