// diagnose: a profile, a record, or operations, bytes and time -> what bounds the kernel and how that is
// known.
#include <memory>

#include "answers/diagnosis.h"
#include "app/judge/diagnose_kernel.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct DiagnoseFlags {
  app::DiagnosisRequest request;
  std::string rules = "nsight", svg;
  std::vector<std::string> peaks;
  bool all_metrics = false;
};

diagnose::Rules rules_of(const std::string& word) {
  if (word == "tilegym") return diagnose::Rules::tilegym;
  return word == "kernel-opt" ? diagnose::Rules::kernel_opt : diagnose::Rules::nsight;
}

int run_diagnose(const DiagnoseFlags& o, Context& context) {
  app::DiagnosisRequest request = o.request;
  request.rules = rules_of(o.rules);
  request.peaks = parse_facts(o.peaks, "--peak");
  expect_writable_file(o.svg);
  auto subjects = app::diagnose_kernel(request, context.session);
  if (!o.svg.empty()) {
    write_file(o.svg, svg_picture(diagnose::picture_of(subjects)));
    context.session.warn("roofline written to " + o.svg);
  }
  if (context.json) {
    context.terminal.out << answers::diagnosis_json(subjects, o.all_metrics) << '\n';
  } else {
    answers::print_diagnosis(context.terminal, subjects, o.all_metrics);
    answers::print_picture(context.terminal, subjects);
  }
  return 0;
}

}  // namespace

Action setup_diagnose(Arguments& arguments) {
  auto o = std::make_shared<DiagnoseFlags>();
  arguments.option("id", o->request.record, "a record whose metrics are stored").type_name("ID");
  arguments
      .option("--ncu", o->request.ncu,
              "CSV of Nsight Compute (raw, details, --metrics, --print-summary); - reads stdin")
      .type_name("FILE");
  arguments.option("--before", o->request.before, "CSV of the kernel before the change, to compare with")
      .type_name("FILE");
  arguments.option("--kernel-name", o->request.kernel_name, "only kernels whose name matches")
      .type_name("RE");
  arguments
      .option("--task", o->request.task,
              "run a candidate of this task and profile it (not judged: see bench)")
      .type_name("TASK")
      .names_a("tasks");
  arguments.option("--source", o->request.source, "the candidate's source file").type_name("FILE");
  arguments.option("--profiler", o->request.profiler, "how the candidate is profiled")
      .type_name("cupti|ncu")
      .one_of({"cupti", "ncu"})
      .show_default();
  arguments.option("--rules", o->rules, "whose rules give the label")
      .type_name("nsight|tilegym|kernel-opt")
      .one_of({"nsight", "tilegym", "kernel-opt"})
      .show_default();
  arguments.option("--flops", o->request.flops, "operations of one launch").type_name("N").zero_or_more();
  arguments.option("--bytes", o->request.bytes, "bytes one launch must move to and from DRAM")
      .type_name("N")
      .positive();
  arguments.option("--latency-ms", o->request.latency_ms, "time of one launch").type_name("MS").positive();
  arguments
      .option("--dtype", o->request.dtype,
              "what the operations are done in: f32, f64, tf32, f16, bf16, fp8, int8")
      .type_name("D")
      .show_default();
  arguments.option("--arch,--chip", o->request.arch, "sm_90, or a card: H100")
      .type_name("A")
      .names_a("archs");
  arguments.option("--peak", o->peaks, "peaks of this GPU: dram in byte/s, the others in FLOP/s")
      .type_name("NAME=X,...")
      .repeatable();
  arguments.option("--svg", o->svg, "write the roofline as a picture").type_name("FILE");
  arguments.option("-n,--limit", o->request.limit, "at most this many kernels, 0 for all")
      .type_name("N")
      .zero_or_more()
      .show_default();
  arguments.flag("--all-metrics", o->all_metrics, "also every metric that was read, in base units");
  return [o](Context& context) { return run_diagnose(*o, context); };
}

}  // namespace explog::cli
