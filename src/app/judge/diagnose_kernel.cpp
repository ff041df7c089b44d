#include "app/judge/diagnose_kernel.h"

#include <fmt/format.h>

#include <limits>

#include "app/judge/bench_request.h"
#include "app/judge/profile_candidate.h"
#include "app/records/profiles.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/find_task.h"
#include "model/backend.h"

namespace explog::app {
namespace {

using diagnose::Roof;

// The roof of arithmetic in `dtype`: fp32 on CUDA cores, 16 and 8 bit and tf32 on tensor cores.
Roof roof_of(const std::string& dtype) {
  if (auto roof = diagnose::parse_roof(dtype)) return *roof;
  if (dtype.starts_with("fp8") || dtype.starts_with("f8")) return Roof::fp8;
  throw Error(Exit::usage, "--dtype: no roof is known for '" + dtype + "'",
              "one of: f32, f64, tf32, f16, bf16, fp8, int8");
}

BesideCounters known_of(const DiagnosisRequest& r) {
  BesideCounters known;
  known.peaks = peaks_named(r.peaks);
  known.rules = r.rules;
  known.formula.source = "formula";
  known.formula.seconds = r.latency_ms * 1e-3;
  known.formula.bytes = r.bytes;
  known.formula.flops_known = r.flops >= 0;
  if (r.flops >= 0) known.formula.flops[static_cast<std::size_t>(roof_of(r.dtype))] = r.flops;
  return known;
}

// The arch that the user names, and the card where it is one.
void set_gpu(Launch& launch, const std::string& arch, const Session& session) {
  if (arch.empty()) return;
  launch.arch = arch_named(arch);
  if (std::string card = card_named(arch, session); !card.empty())
    launch.texts.emplace_back("device__attribute_display_name", card);
}

diagnose::Subject counted(Launch launch, const DiagnosisRequest& r, const Session& session, sql::Db& db,
                          const std::string& role) {
  if (launch.arch.empty()) set_gpu(launch, r.arch, session);
  return subject_of(std::move(launch), role, known_of(r), db);
}

// The kernels of --ncu, longest first, `most` of them; the others are counted in a warning where `role` is "".
std::vector<diagnose::Subject> longest_kernels(const DiagnosisRequest& r, std::size_t most,
                                               const std::string& role, const Session& session, sql::Db& db) {
  intake::NcuFile file = read_profile(r.ncu, session);
  auto kernels = choose_kernels(file, r.kernel_name, r.ncu);
  double total = 0;
  for (const KernelProfile& k : kernels) total += k.total_ns;
  std::vector<diagnose::Subject> subjects;
  for (std::size_t i = 0; i < kernels.size() && i < most; ++i) {
    diagnose::Subject s = counted(*kernels[i].launch, r, session, db, role);
    s.launches = kernels[i].launches;
    if (total > 0) s.time_share = kernels[i].total_ns / total;
    subjects.push_back(std::move(s));
  }
  if (most < kernels.size() && role.empty())
    session.warn(fmt::format("{} more kernels with --limit 0", kernels.size() - most));
  return subjects;
}

std::vector<diagnose::Subject> from_profile(const DiagnosisRequest& r, const Session& session, sql::Db& db) {
  if (r.before.empty()) {
    auto most = r.limit == 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(r.limit);
    return longest_kernels(r, most, "", session, db);
  }
  intake::NcuFile file = read_profile(r.before, session);
  std::vector<diagnose::Subject> subjects = {
      counted(main_kernel(file, r.kernel_name, r.before, session), r, session, db, "before")};
  subjects.push_back(longest_kernels(r, 1, "after", session, db).at(0));
  return subjects;
}

std::vector<diagnose::Subject> from_record(const DiagnosisRequest& r, const Session& session, sql::Db& db) {
  Experience e = experience_named(r.record, db);
  const std::string& kernel = e.kernel.empty() ? e.kernel_type : e.kernel;
  std::vector<diagnose::Subject> subjects;
  for (auto [role, metrics] : {std::pair("before", &e.metrics_before), {"after", &e.metrics_after}}) {
    if (!metrics->empty())
      subjects.push_back(counted(launch_of(*metrics, kernel, e.arch, e.gpu), r, session, db, role));
  }
  if (!subjects.empty()) return subjects;
  throw Error(Exit::negative, "record " + r.record + " has no metrics",
              "`explog bench --profile --record` and `explog add --ncu-before FILE` store some");
}

std::vector<diagnose::Subject> from_figures(const DiagnosisRequest& r, const Session& session, sql::Db& db) {
  if (r.flops < 0 || r.bytes <= 0 || r.latency_ms <= 0) {
    std::string missing = r.latency_ms <= 0 ? "--latency-ms" : r.bytes <= 0 ? "--bytes" : "--flops";
    bool some = r.flops >= 0 || r.bytes > 0 || r.latency_ms > 0;
    throw Error(Exit::usage, some ? "diagnose: " + missing + " is missing" : "nothing to diagnose",
                "give --ncu FILE, a record's ID, --task T --source FILE, or --flops F --bytes B --latency-ms "
                "T --arch A");
  }
  Launch launch;
  launch.kernel = "the kernel";
  set_gpu(launch, r.arch, session);
  diagnose::Subject s = formula_subject(std::move(launch), "", known_of(r), db);
  if (peak(s.peaks, Roof::dram).value <= 0 || peak(s.peaks, roof_of(r.dtype)).value <= 0) {
    std::string_view card = text_metric(s.launch, "device__attribute_display_name");
    std::string gpu(card.empty() ? std::string_view(s.launch.arch) : card);
    throw Error(Exit::usage,
                gpu.empty() ? "no --arch" : "the peaks of " + gpu + " in " + r.dtype + " are not known",
                std::string(gpu.empty() ? "give --arch, or --peak" : "give them: --peak") + " dram=4.3e12," +
                    std::string(roof_name(roof_of(r.dtype))) + "=6.1e13");
  }
  return {s};
}

void must_have_gpu(const Task& task) {
  for (const TaskBackend& backend : task.backends) {
    if (backend_named(backend.name).on_gpu) return;
  }
  throw Error(Exit::usage, "task " + task.name + " has no backend for a GPU, whose counters --source reads",
              "add 'cuda' to \"backends\" in task.json; `explog bench` judges without counters");
}

// A candidate that is run here, without being judged: right or wrong, its counters say what bounds it.
std::vector<diagnose::Subject> from_candidate(const DiagnosisRequest& r, const Session& session) {
  BenchNames names;
  names.task = r.task;
  names.candidate = r.source;
  names.arch = r.arch;
  must_have_gpu(bench::find_task(r.task, session.data_dir).task);
  BenchRequest request = read_request(names, session);
  bench::Workbench bench(request.found, request.toolchain);
  bench::Built built = bench.builder().candidate(bench.task(), request.candidate);
  if (!built.ok) throw Error(Exit::usage, r.source + " does not compile: " + bench::first_error(built.log));
  auto by = r.profiler == "ncu" ? bench::Profiler::ncu : bench::Profiler::cupti;
  bench::PrivateFolder folder;
  auto subject = profile_one(bench, bench::countable(bench, built.path, folder), by, "", session);
  if (!subject) throw Error(Exit::unavailable, "no profile of " + r.source);
  return {*subject};
}

// Beyond these no rate could be read, and mostly a unit was mistaken.
void refuse_wild_figures(const DiagnosisRequest& r) {
  struct Figure {
    const char *flag, *unit;
    double value, least, most;
  };
  for (const Figure& f : {Figure{"--flops", "operations", r.flops, 1, 1e24},
                          {"--bytes", "bytes", r.bytes, 1, 1e18},
                          {"--latency-ms", "milliseconds", r.latency_ms, 1e-6, 1e9}}) {
    if (f.value <= 0 || (f.value >= f.least && f.value <= f.most)) continue;
    throw Error(
        Exit::usage, fmt::format("{}: {} cannot be meant", f.flag, number_text(f.value)),
        fmt::format("{} of one launch, from {} to {}", f.unit, number_text(f.least), number_text(f.most)));
  }
}

void refuse_contradictions(const DiagnosisRequest& r) {
  if (!r.before.empty() && r.ncu.empty())
    throw Error(Exit::usage, "--before needs --ncu", "--ncu names the profile of the kernel as it is now");
  if (!r.record.empty() && !r.ncu.empty()) throw Error(Exit::usage, "give a record's ID or --ncu, not both");
  if (r.task.empty() != r.source.empty()) throw Error(Exit::usage, "--task and --source belong together");
}

}  // namespace

std::vector<diagnose::Subject> diagnose_kernel(const DiagnosisRequest& request, const Session& session) {
  refuse_contradictions(request);
  refuse_wild_figures(request);
  sql::Db db = session.reader();
  if (!request.ncu.empty()) return from_profile(request, session, db);
  if (!request.record.empty()) return from_record(request, session, db);
  return request.task.empty() ? from_figures(request, session, db) : from_candidate(request, session);
}

}  // namespace explog::app
