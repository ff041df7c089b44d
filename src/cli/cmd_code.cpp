// code: a record or a file -> the device code, what is in it, what differs between two.
#include <memory>

#include "answers/code.h"
#include "app/judge/code.h"
#include "base/error.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct CodeFlags {
  std::vector<std::string> what, compiler_flags;
  std::string ir, arch, task, python;
  bool diff = false, before = false;
};

int run_diff(const CodeFlags& o, const std::vector<app::CodeWanted>& wanted, Context& context) {
  if (!o.ir.empty() || o.before)
    throw Error(Exit::usage, "code --diff compares whole codes: leave out --ir and --before");
  app::CodeDifference difference = app::code_difference(wanted, context.session);
  if (context.json)
    context.terminal.out << answers::code_difference_json(difference) << '\n';
  else
    answers::print_code_difference(context.terminal, difference);
  return 0;
}

void print_text(std::string text, const answers::Terminal& terminal) {
  while (text.ends_with('\n')) text.pop_back();  // printing a line ends it
  terminal.print({answers::Line(std::move(text), answers::Style::prose)});
}

int run_code(const CodeFlags& o, Context& context) {
  std::vector<app::CodeWanted> wanted;
  for (const std::string& what : o.what)
    wanted.push_back({what, o.arch, o.task, o.python, o.compiler_flags, o.before});
  if (o.diff) return run_diff(o, wanted, context);
  if (wanted.size() != 1)
    throw Error(Exit::usage, "code: name one record or file", "explog code --diff A B compares two");
  app::NamedCode code = app::code_named(wanted.front(), context.session);
  if (!o.ir.empty())
    print_text(app::text_of_kind(code, o.ir), context.terminal);
  else if (context.json)
    context.terminal.out << answers::code_json(code) << '\n';
  else
    answers::print_code(context.terminal, code);
  return 0;
}

}  // namespace

Action setup_code(Arguments& arguments) {
  auto o = std::make_shared<CodeFlags>();
  arguments
      .option("what", o->what,
              "a record's ID, the hash of machine code, or a file: .cu, .py, .cubin, .ptx, .sass, .ttgir")
      .required()
      .type_name("ID|HASH|FILE");
  arguments.option("--ir", o->ir, "print the text instead of what is in it")
      .type_name("KIND")
      .one_of({"sass", "ptx", "ttgir", "tileir"});
  arguments.flag("--diff", o->diff, "what changed from A to B; of one record, from its baseline to it");
  arguments.flag("--before", o->before, "of a record: the baseline's code instead of the candidate's");
  arguments.option("--arch", o->arch, "what a source is compiled for: sm_90, or a card (else the GPU here)")
      .type_name("A")
      .names_a("archs");
  arguments.option("--task", o->task, "of a .py: the task whose shapes its kernels are compiled for")
      .type_name("TASK")
      .names_a("tasks");
  arguments.option("--python", o->python, "of a .py: its interpreter (else $EXPLOG_PYTHON, python3 ...)")
      .type_name("PATH");
  arguments.option("--flag", o->compiler_flags, "one more flag for the compiler (repeat it)")
      .one_word()
      .type_name("FLAG");
  return [o](Context& context) { return run_code(*o, context); };
}

}  // namespace explog::cli
