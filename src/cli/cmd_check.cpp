// check: task + candidate -> is it right?
#include <memory>

#include "answers/bench_run.h"
#include "answers/check.h"
#include "app/judge/check.h"
#include "base/error.h"
#include "cli/bench_flags.h"
#include "cli/commands.h"
#include "cli/verdict_exit.h"

namespace explog::cli {
namespace {

struct CheckFlags : app::CheckOptions {
  bool self = false, compile_only = false, no_sanitizer = false;
};

int print_report(const Context& context, const bench::CheckReport& report, const std::string& what) {
  for (const std::string& w : report.warnings) context.session.warn(w);
  if (!report.printed.empty() && !context.quiet)
    answers::print_candidate_output(context.terminal, report.printed);
  if (context.json)
    context.terminal.out << answers::check_json(report) << '\n';
  else
    answers::print_check(context.terminal, report, what, context.quiet);
  return exit_code(report.verdict);
}

int run_self(const CheckFlags& o, const Context& context) {
  app::CheckedTask checked = app::check_task(o, context.session);
  if (context.json)
    context.terminal.out << answers::task_check_json(checked) << '\n';
  else
    answers::print_task_check(context.terminal, checked, context.quiet);
  return checked.report.ok() ? 0 : static_cast<int>(Exit::negative);
}

int run_compile(const CheckFlags& o, const Context& context) {
  app::Compiled compiled = app::compile_file(o, context.session);
  if (compiled.report.verdict != bench::CheckVerdict::pass)
    return print_report(context, compiled.report, compiled.what);
  if (context.json)
    context.terminal.out << answers::compiled_json(compiled) << '\n';
  else
    answers::print_compiled(context.terminal, compiled);
  return 0;
}

int run_check(const CheckFlags& o, const Context& context) {
  if (o.self) return run_self(o, context);
  if (o.compile_only) return run_compile(o, context);
  app::Checked checked = app::check_file(o, context.session);
  return print_report(context, checked.report, checked.what);
}

}  // namespace

Action setup_check(Arguments& arguments) {
  auto o = std::make_shared<CheckFlags>();
  add_bench_flags(arguments, o->names);
  arguments.flag("--self", o->self, "check the task itself: trivial answers must fail, honest ones pass");
  arguments.flag("--no-sanitizer", o->no_sanitizer, "without compute-sanitizer");
  arguments.flag("--compile-only", o->compile_only, "only compile; with --arch this needs no GPU");
  return [o](Context& context) {
    o->sanitizer = !o->no_sanitizer;
    return run_check(*o, context);
  };
}

}  // namespace explog::cli
