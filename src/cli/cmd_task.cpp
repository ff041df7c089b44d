// task: what check and bench judge by: list, show, draft one from a kernel's source, import one of a benchmark.
#include <memory>

#include "answers/task.h"
#include "app/judge/draft_task.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "model/json.h"

namespace explog::cli {
namespace {

struct TaskFlags {
  std::string action = "list", subject;
  app::DraftOptions draft;
  FormatFlags format;
};

int list(const TaskFlags& o, const Context& context) {
  answers::RowPrinter printer(context.terminal, o.format.format(context));
  answers::print_tasks(printer, app::known_tasks(context.session));
  return 0;
}

int show(const TaskFlags& o, const Context& context) {
  if (o.subject.empty()) throw Error(Exit::usage, "task show: name a task", "`explog task list` shows them");
  std::string json = to_json(app::task_named(o.subject, context.session));
  context.terminal.out << (context.json ? printable_json(json) : printable(json, false)) << '\n';
  return 0;
}

int init(const TaskFlags& o, const std::vector<std::string>& extras, const Context& context) {
  if (o.subject.empty()) throw Error(Exit::usage, "task init: name the kernel's source file");
  app::DraftOptions draft = o.draft;
  draft.source = o.subject;
  draft.dim_flags = extras;
  app::DraftedTask drafted = app::draft_task(draft);
  if (context.json)
    context.terminal.out << answers::drafted_json(drafted) << '\n';
  else
    answers::print_drafted(context.terminal, drafted);
  return 0;
}

int import(const TaskFlags& o, const Context& context) {
  if (o.subject.empty()) throw Error(Exit::usage, "task import: name a problem's file or folder");
  app::ImportedTasks imported = app::import_tasks({o.subject, o.draft.out, o.draft.dims, o.draft.force});
  if (context.json)
    context.terminal.out << answers::imported_tasks_json(imported) << '\n';
  else
    answers::print_imported_tasks(context.terminal, imported);
  return static_cast<int>(imported.refused.empty() ? Exit::ok : Exit::quarantined);
}

// Words that no option took: with init --NAME=VALUE is a dimension, all else a mistake.
void refuse_extras(const TaskFlags& o, const std::vector<std::string>& extras,
                   const std::vector<std::string>& known) {
  for (const std::string& word : extras) {
    bool option = word.starts_with("--");
    if (option && o.action == "init" && word.size() > 2 && word.find('=') != std::string::npos) continue;
    std::string name = word.substr(0, word.find('='));
    throw Error(Exit::usage,
                option ? "task: unknown option " + printable(name) + did_you_mean(name, known)
                       : "task: unexpected argument: " + printable(word),
                "explog task --help");
  }
}

int run_task(const TaskFlags& o, const Arguments& arguments, Context& context) {
  std::vector<std::string> extras = arguments.extras();
  refuse_extras(o, extras, arguments.long_names());
  if (o.action == "init") return init(o, extras, context);
  if (o.action == "import") return import(o, context);
  if (o.action == "show") return show(o, context);
  if (!o.subject.empty()) expect_no_words("task list", {o.subject}, "`explog task show NAME` shows one");
  return list(o, context);
}

}  // namespace

Action setup_task(Arguments& arguments) {
  auto o = std::make_shared<TaskFlags>();
  arguments.option("action", o->action, "list, show, init or import")
      .type_name("ACTION")
      .one_of({"list", "show", "init", "import"});
  arguments
      .option("subject", o->subject,
              "show: a task, its folder or its task.json; init: the kernel's source; import: a problem of "
              "SOL-ExecBench, FlashInfer-Bench, KernelBench, GPU MODE or kernel-opt-skill")
      .type_name("NAME|FILE")
      .names_a("tasks");
  arguments.option("--dims", o->draft.dims, "init: the shape to time, N=4096,D=1024; also --N=4096 --D=1024")
      .one_word()
      .type_name("DIMS");
  arguments
      .option("--ref", o->draft.reference, "init: a reference in Python, ref.py, that the task is made from")
      .type_name("FILE");
  arguments.option("--out", o->draft.out, "init, import: the folder to make (else ./ and the task's name)")
      .type_name("DIR");
  arguments.option("--name", o->draft.name, "init: the task's name (else the file's)").type_name("NAME");
  arguments.flag("--force", o->draft.force, "init, import: write over files that exist");
  o->format.add_to(arguments);
  arguments.allow_extras();
  return [o, &arguments](Context& context) { return run_task(*o, arguments, context); };
}

}  // namespace explog::cli
