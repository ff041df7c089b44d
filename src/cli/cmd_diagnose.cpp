// diagnose: a profile, a record, or operations, bytes and time -> what bounds the kernel and how that is
// known.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/bench_profile.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/judging.h"
#include "cli/print_diagnosis.h"
#include "cli/profiles.h"
#include "model/json.h"
#include "model/vocabulary.h"
#include "store/read.h"

namespace explog::cli {
namespace {

using namespace diagnose;

struct Options {
  std::string id, ncu, before, kernel_name, rules = "nsight", dtype = "f32", arch, svg, task, source,
                                            profiler = "cupti";
  std::vector<std::string> peaks;
  double flops = -1, bytes = 0, latency_ms = 0;
  int limit = 5;
  bool all_metrics = false;
};

Rules rules_of(const std::string& word) {
  if (word == "tilegym") return Rules::tilegym;
  return word == "kernel-opt" ? Rules::kernel_opt : Rules::nsight;
}

// The roof of arithmetic in `dtype`: fp32 on CUDA cores, 16 and 8 bit and tf32 on tensor cores.
Roof roof_of(const std::string& dtype) {
  if (auto roof = parse_roof(dtype)) return *roof;
  if (dtype.starts_with("fp8") || dtype.starts_with("f8")) return Roof::fp8;
  throw Error(Exit::usage, "--dtype: no roof is known for '" + printable(dtype) + "'",
              "one of: f32, f64, tf32, f16, bf16, fp8, int8");
}

Work formula_of(const Options& o) {
  Work work;
  work.source = "formula";
  work.seconds = o.latency_ms * 1e-3;
  work.bytes = o.bytes;
  work.flops_known = o.flops >= 0;
  if (work.flops_known) work.flops[static_cast<std::size_t>(roof_of(o.dtype))] = o.flops;
  return work;
}

std::string arch_of(const Options& o) { return o.arch.empty() ? "" : arch_named(o.arch); }

Subject subject_of(const Launch& launch, const Options& o, sql::Db& db, const std::string& role) {
  Subject s;
  s.role = role;
  s.launch = launch;
  if (s.launch.arch.empty()) s.launch.arch = arch_of(o);
  s.peaks = peaks_for(s.launch, parse_peaks(o.peaks), db);
  s.nominal = prefer(peaks_of_launch(s.launch), peaks_of_arch(s.launch.arch));
  s.diagnosis = diagnose::diagnose(s.launch, s.peaks, formula_of(o), rules_of(o.rules));
  return s;
}

std::vector<Subject> from_profile(const Options& o, const Context& context, sql::Db& db) {
  std::vector<Subject> subjects;
  if (!o.before.empty()) {
    intake::NcuFile file = read_profile(o.before, context);
    subjects.push_back(subject_of(main_kernel(file, o.kernel_name, o.before, context), o, db, "before"));
  }
  intake::NcuFile file = read_profile(o.ncu, context);
  auto kernels = choose_kernels(file, o.kernel_name, o.ncu);
  double total = 0;
  for (const KernelProfile& k : kernels) total += k.total_ns;
  std::size_t shown = o.limit == 0 || !o.before.empty() ? kernels.size() : static_cast<std::size_t>(o.limit);
  if (!o.before.empty()) shown = 1;
  for (std::size_t i = 0; i < kernels.size() && i < shown; ++i) {
    Subject s = subject_of(*kernels[i].launch, o, db, o.before.empty() ? "" : "after");
    s.launches = kernels[i].launches;
    if (total > 0) s.time_share = kernels[i].total_ns / total;
    subjects.push_back(std::move(s));
  }
  if (shown < kernels.size() && o.before.empty())
    context.warn(fmt::format("{} more kernels with --limit 0", kernels.size() - shown));
  return subjects;
}

std::vector<Subject> from_record(const Options& o, sql::Db& db) {
  store::Record record = store::load(db, store::resolve(db, o.id));
  if (record.kind != 1) throw Error(Exit::usage, "'" + printable(o.id) + "' is no experience");
  Experience e = parse_experience(record.body);
  std::vector<Subject> subjects;
  for (auto [role, metrics] : {std::pair("before", &e.metrics_before), {"after", &e.metrics_after}}) {
    if (metrics->empty()) continue;
    subjects.push_back(subject_of(
        launch_of(*metrics, e.kernel.empty() ? e.kernel_type : e.kernel, e.arch, e.gpu), o, db, role));
  }
  if (subjects.empty()) {
    throw Error(Exit::negative, "record " + printable(o.id) + " has no metrics",
                "`explog bench --profile --record` and `explog add --ncu-before FILE` keep some");
  }
  return subjects;
}

std::vector<Subject> from_formula(const Options& o, sql::Db& db) {
  if (o.flops < 0 || o.bytes <= 0 || o.latency_ms <= 0) {
    throw Error(Exit::usage, "nothing to look at",
                "give --ncu FILE, a record's ID, --task T --source FILE, or --flops F --bytes B --latency-ms "
                "T --arch A");
  }
  Subject s;
  s.launch.arch = arch_of(o);
  s.launch.kernel = "the kernel";
  s.peaks = peaks_for(s.launch, parse_peaks(o.peaks), db);
  s.nominal = peaks_of_arch(s.launch.arch);
  if (peak(s.peaks, Roof::dram).value <= 0 || peak(s.peaks, roof_of(o.dtype)).value <= 0) {
    throw Error(Exit::usage,
                s.launch.arch.empty() ? "no --arch" : "the peaks of " + s.launch.arch + " are not known",
                "give --arch, or --peak dram=4.3e12," + std::string(roof_name(roof_of(o.dtype))) + "=6.1e13");
  }
  s.diagnosis = diagnose::diagnose(formula_of(o), s.peaks);
  return {s};
}

// A candidate that is run here, without being judged: right or wrong, its counters say what bounds it.
std::vector<Subject> from_candidate(const Options& o, Context& context) {
  JudgeFlags flags;
  flags.task = o.task;
  flags.candidate = o.source;
  flags.arch = o.arch;
  Judgement judgement = read_judgement(flags, context);
  bench::Workbench bench(judgement.found.task, judgement.found.folder, judgement.backend,
                         toolchain_for(flags, judgement));
  bench::Built built = bench.builder().candidate(bench.task(), judgement.candidate);
  if (!built.ok)
    throw Error(Exit::usage,
                printable(o.source) + " does not compile: " + printable(bench::first_error(built.log)));
  auto by = o.profiler == "ncu" ? bench::Profiler::ncu : bench::Profiler::cupti;
  auto subject = profile_one(bench, built.path, by, "", context);
  if (!subject) throw Error(Exit::unavailable, "no profile of " + printable(o.source));
  return {*subject};
}

void check(const Options& o) {
  if (!o.before.empty() && o.ncu.empty())
    throw Error(Exit::usage, "--before needs --ncu", "--ncu names the profile of the kernel as it is now");
  if (!o.id.empty() && !o.ncu.empty()) throw Error(Exit::usage, "a record and --ncu: one of them");
  if (o.task.empty() != o.source.empty()) throw Error(Exit::usage, "--task and --source belong together");
}

int run_diagnose(const Options& o, Context& context) {
  check(o);
  sql::Db db = context.reader();
  std::vector<Subject> subjects = !o.ncu.empty()    ? from_profile(o, context, db)
                                  : !o.id.empty()   ? from_record(o, db)
                                  : !o.task.empty() ? from_candidate(o, context)
                                                    : from_formula(o, db);
  if (!o.svg.empty()) {
    write_file(o.svg, svg_picture(picture_of(subjects)));
    context.warn("roofline written to " + printable(o.svg));
  }
  if (context.json) {
    JsonWriter json;
    write_diagnosis(json, subjects, o.all_metrics);
    context.out << json.str() << '\n';
  } else {
    print_diagnosis(context, subjects, o.all_metrics);
    print_picture(context, subjects);
  }
  return 0;
}

}  // namespace

Action setup_diagnose(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("id", o->id, "a record whose metrics are stored")->type_name("ID");
  app.add_option("--ncu", o->ncu,
                 "CSV of Nsight Compute (raw, details, --metrics, --print-summary); - reads stdin")
      ->type_name("FILE");
  app.add_option("--before", o->before, "CSV of the kernel before the change, to compare with")
      ->type_name("FILE");
  app.add_option("--kernel-name", o->kernel_name, "only kernels whose name fits")->type_name("RE");
  app.add_option("--task", o->task, "run a candidate of this task and profile it (not judged: see bench)")
      ->type_name("TASK");
  app.add_option("--source", o->source, "the candidate")->type_name("FILE");
  app.add_option("--profiler", o->profiler, "how it is profiled")
      ->type_name("cupti|ncu")
      ->check(CLI::IsMember({"cupti", "ncu"}))
      ->capture_default_str();
  app.add_option("--rules", o->rules, "whose rules give the label")
      ->type_name("nsight|tilegym|kernel-opt")
      ->check(CLI::IsMember({"nsight", "tilegym", "kernel-opt"}))
      ->capture_default_str();
  app.add_option("--flops", o->flops, "operations of one launch")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--bytes", o->bytes, "bytes it must move to and from DRAM")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option("--latency-ms", o->latency_ms, "its time")->type_name("MS")->check(CLI::PositiveNumber);
  app.add_option("--dtype", o->dtype, "what the operations are done in: f32, f64, tf32, f16, bf16, fp8, int8")
      ->type_name("D")
      ->capture_default_str();
  app.add_option("--arch,--chip", o->arch, "sm_90, or a card: H100")->type_name("A");
  app.add_option("--peak", o->peaks, "peaks of this GPU: dram in byte/s, the others in FLOP/s")
      ->type_name("NAME=X,...")
      ->take_all()
      ->expected(1);
  app.add_option("--svg", o->svg, "write the roofline as a picture")->type_name("FILE");
  app.add_option("-n,--limit", o->limit, "at most this many kernels, 0 for all")
      ->type_name("N")
      ->check(zero_or_more())
      ->capture_default_str();
  app.add_flag("--all-metrics", o->all_metrics, "also every metric that was read, in base units");
  return [o](Context& context) { return run_diagnose(*o, context); };
}

}  // namespace explog::cli
