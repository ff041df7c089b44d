// gate: a verdict for CI: is anything slower than it was?
#include <memory>

#include "answers/gate.h"
#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "model/backend.h"

namespace explog::cli {
namespace {

struct GateFlags {
  app::GateOptions gate;
  std::string max_slower = "2%", markdown;
  bool no_sanitizer = false;
};

double share_of(const std::string& text) {
  std::string_view digits = text;
  bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  auto value = parse_number(digits);
  if (!value || *value <= 0 || (percent ? *value / 100 : *value) >= 1)
    throw Error(Exit::usage, "gate: --max-slower: '" + printable(text) + "' is no share between 0% and 100%",
                "--max-slower 2%");
  return percent ? *value / 100 : *value;
}

int run(const GateFlags& o, const Context& context) {
  if (o.gate.base.empty() || o.gate.tasks.empty())
    throw Error(Exit::usage, "gate: name the revision to compare with and the tasks",
                "explog gate --base origin/main --tasks 'perf/*.json'");
  app::GateOptions options = o.gate;
  options.max_slower = share_of(o.max_slower);
  options.sanitizer = !o.no_sanitizer;
  expect_writable_file(o.markdown);
  app::StopSignals signals;
  app::Gate gate = app::run_gate(options, context.session);
  if (!o.markdown.empty()) write_file(o.markdown, answers::gate_markdown(gate));
  if (context.json)
    context.terminal.out << answers::gate_json(gate) << '\n';
  else
    answers::print_gate(context.terminal, gate);
  return gate.exit_code();
}

}  // namespace

Action setup_gate(Arguments& arguments) {
  auto o = std::make_shared<GateFlags>();
  arguments.option("--base", o->gate.base, "the revision to compare with: a commit, tag or branch")
      .type_name("REV")
      .needed();
  arguments.option("--head", o->gate.head, "the revision that is judged").type_name("REV").show_default();
  arguments
      .option("--tasks", o->gate.tasks,
              "files of head that name a task and a kernel, from the repository's root; ** is any folder")
      .type_name("GLOB")
      .repeatable()
      .needed();
  arguments.option("--max-slower", o->max_slower, "slower than this, with its whole 99% interval, fails")
      .type_name("2%")
      .show_default();
  arguments.flag("--allow-new", o->gate.allow_new,
                 "pass kernels that base does not have, where they build and are right");
  arguments.option("--markdown", o->markdown, "also write a comment for a pull request").type_name("FILE");
  arguments.flag("--self-test", o->gate.self_test,
                 "inject a slowdown of 5% and fail unless it is found (once a day and machine)");
  arguments.option("--backend", o->gate.backend, "of task.json files, where several are there")
      .type_name("B")
      .one_of(backend_names());
  arguments.option("--arch,--chip", o->gate.arch, "sm_90, or a card: H100; else asked of the GPU")
      .type_name("A")
      .names_a("archs");
  arguments.option("--max-time", o->gate.max_seconds, "of timing a shape, in seconds")
      .type_name("SEC")
      .positive()
      .show_default();
  arguments.flag("--no-sanitizer", o->no_sanitizer, "do not run compute-sanitizer on what differs");
  return [o](Context& context) { return run(*o, context); };
}

}  // namespace explog::cli
