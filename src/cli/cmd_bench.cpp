// bench: task + candidate -> right, and faster? -> verdict, and with --record a place in the memory.
#include <memory>

#include "answers/bench_run.h"
#include "answers/verdict.h"
#include "app/judge/bench.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/bench_flags.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/verdict_exit.h"

namespace explog::cli {
namespace {

struct BenchFlags {
  app::BenchOptions bench;
  app::RecordFields fields;
  std::string from, csv;
  std::vector<std::string> state;
  bool record = false, no_cupti = false, no_sanitizer = false;
};

app::BenchOptions options_of(const BenchFlags& o) {
  app::BenchOptions options = o.bench;
  options.timing.use_cupti = !o.no_cupti;
  options.timing.sanitizer = !o.no_sanitizer;
  if (!o.record) return options;
  options.record = o.fields;
  options.record->state = parse_facts(o.state, "--state");
  return options;
}

int show(const app::Judged& judged, const std::string& csv, const Context& context) {
  if (!judged.printed.empty() && !context.quiet)
    answers::print_candidate_output(context.terminal, judged.printed);
  if (!csv.empty()) write_file(csv, answers::samples_csv(judged.measurement));
  for (const std::string& warning : judged.measurement.warnings) context.session.warn(warning);
  if (context.json)
    context.terminal.out << answers::verdict_json(judged) << '\n';
  else
    answers::print_verdict(context.terminal, judged, context.quiet);
  return exit_code(judged.verdict.verdict);
}

int run_bench(const BenchFlags& o, const Context& context) {
  if (o.bench.names.candidate.empty())
    throw Error(Exit::usage, "bench: name a task and a candidate file", "explog bench softmax MINE.cu");
  if (o.record && o.fields.strategy.empty())
    throw Error(Exit::usage, "bench: --record needs --strategy", "explog strategies list shows their names");
  expect_writable_file(o.bench.save), expect_writable_file(o.csv);
  if (o.record) context.session.expect_writable();
  return show(app::bench_candidate(options_of(o), context.session), o.csv, context);
}

int run_saved(const BenchFlags& o, const Context& context) {
  if (o.record)
    throw Error(Exit::usage,
                "bench: --record cannot be used with --from: a saved file can be written by anybody",
                "record what is measured now: explog bench TASK FILE --record --strategy ID");
  if (!o.bench.names.task.empty())
    throw Error(Exit::usage, "bench: --from takes neither a task nor a candidate: the file tells both");
  return show(app::judge_saved(o.from), o.csv, context);
}

}  // namespace

Action setup_bench(Arguments& arguments) {
  auto o = std::make_shared<BenchFlags>();
  add_bench_flags(arguments, o->bench.names);
  arguments.declared("task").required(false).needed();
  arguments.option("--max-time", o->bench.timing.max_seconds, "seconds of timing a shape at most")
      .zero_or_more()
      .type_name("S");
  arguments.flag("--no-cupti", o->no_cupti, "read times from CUDA events alone");
  arguments
      .flag("--profile{cupti}", o->bench.profiler,
            "also profile baseline and candidate, apart from the timing: by CUPTI, or --profile=ncu")
      .one_of({"cupti", "ncu"});
  arguments.flag("--allow-in-process", o->bench.timing.allow_in_process,
                 "keep a gain also where the candidate's own process had to be timed (GPU)");
  arguments.flag("--no-sanitizer", o->no_sanitizer, "without compute-sanitizer");
  arguments
      .option("--from", o->from,
              "derive the verdict again from a file that --save wrote; nothing is measured")
      .type_name("FILE");
  arguments.option("--save", o->bench.save, "keep the whole measurement in a file").type_name("FILE");
  arguments.option("--csv", o->csv, "every sample as CSV").type_name("FILE");
  arguments.flag("--record", o->record, "store measurement and experience").group("Record");
  arguments.option("--strategy", o->fields.strategy, "what was tried")
      .group("Record")
      .type_name("ID")
      .names_a("strategies");
  arguments.option("--kernel-name", o->fields.kernel_name, "the kernel's own name")
      .group("Record")
      .type_name("NAME");
  arguments.option("--bottleneck", o->fields.bottleneck, "what bounded the baseline")
      .group("Record")
      .type_name("X")
      .names_a("bottlenecks");
  arguments.option("--hypothesis", o->fields.hypothesis, "why it should help")
      .group("Record")
      .type_name("TEXT");
  arguments.option("--state", o->state, "numeric facts of the baseline, k=v,...")
      .group("Record")
      .type_name("K=V");
  arguments.option("--campaign", o->fields.campaign, "the series it belongs to")
      .group("Record")
      .type_name("NAME");
  arguments.option("--parent", o->fields.parent, "id of the attempt it builds on")
      .group("Record")
      .type_name("ID");
  arguments.option("--notes", o->fields.notes, "free text").group("Record").type_name("TEXT");
  arguments.flag("--new-baseline", o->fields.new_baseline, "record although task or harness changed")
      .group("Record");
  return [o](Context& context) { return o->from.empty() ? run_bench(*o, context) : run_saved(*o, context); };
}

}  // namespace explog::cli
