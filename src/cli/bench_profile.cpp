#include "cli/bench_profile.h"

#include <algorithm>

#include "base/text.h"
#include "bench/record.h"
#include "cli/profiles.h"

namespace explog::cli {
namespace {

using namespace bench;
using diagnose::Work;

// The launch that took longest of those that a call makes.
const Launch* longest(const std::vector<Launch>& launches) {
  auto kernels = kernels_of(launches);
  return kernels.empty() ? nullptr : kernels.front().launch;
}

std::vector<Launch> launches_of(Profile& profile) {
  if (profile.csv.empty() || !profile.missing.empty()) return std::move(profile.launches);
  return intake::parse_ncu(profile.csv, "ncu").launches;
}

Subject subject_of(const Launch& launch, const std::string& role, sql::Db& db) {
  Subject s;
  s.role = role;
  s.launch = launch;
  s.peaks = peaks_for(launch, {}, db);
  s.nominal = diagnose::peaks_of_launch(launch);
  s.diagnosis = diagnose::diagnose(launch, s.peaks, {}, diagnose::Rules::nsight);
  return s;
}

const ShapeRun* run_of(const Measurement& m, const Dims& dims) {
  if (m.runs.empty()) return nullptr;
  const auto& shapes = m.runs.back().shapes;
  auto it = std::find_if(shapes.begin(), shapes.end(), [&](const ShapeRun& s) { return s.dims == dims; });
  return it != shapes.end() ? &*it : nullptr;
}

}  // namespace

std::optional<Subject> profile_one(Workbench& bench, const std::string& library, Profiler by,
                                   const std::string& role, Context& context) {
  Profile profile = profile_product(bench, library, by);
  std::vector<Launch> launches = launches_of(profile);
  const Launch* launch = longest(launches);
  if (!launch) {
    context.warn("no profile: " +
                 (profile.missing.empty() ? "no kernel was seen" : printable(profile.missing)));
    return std::nullopt;
  }
  if (!profile.note.empty()) context.warn("profile: " + printable(profile.note));
  sql::Db db = context.reader();
  Subject subject = subject_of(*launch, role, db);
  subject.kernels = launches.size();
  return subject;
}

std::vector<Subject> profile_both(Workbench& bench, const Products& products, Profiler by, Context& context) {
  auto before = profile_one(bench, products.baseline, by, "before", context);
  auto after = before ? profile_one(bench, products.candidate, by, "after", context) : std::nullopt;
  return after ? std::vector{*before, *after} : std::vector<Subject>();
}

std::vector<Subject> formula_subjects(const Measurement& m, const Verdict& verdict, const Task& task,
                                      Context& context) {
  const ShapeVerdict* shape = largest_shape(verdict);
  const ShapeRun* run = shape ? run_of(m, shape->dims) : nullptr;
  if (!run) return {};
  sql::Db db = context.reader();
  std::vector<Subject> subjects;
  for (auto [role, ms] : {std::pair("before", shape->baseline_ms), {"after", shape->candidate_ms}}) {
    Subject s;
    s.role = role;
    s.launch.kernel = s.role == "before" ? m.baseline.file : m.candidate.file;
    s.launch.arch = m.arch;
    s.launch.texts.emplace_back("device__attribute_display_name", m.gpu);
    s.peaks = peaks_for(s.launch, {}, db);
    Work work;
    work.bytes = run->bytes;
    work.flops_known = true;
    work.flops[static_cast<std::size_t>(diagnose::parse_roof(task.unit).value_or(diagnose::Roof::fp32))] =
        run->flops;
    work.seconds = ms * 1e-3;
    s.diagnosis = diagnose::diagnose(work, s.peaks);
    subjects.push_back(std::move(s));
  }
  return subjects;
}

void add_profile(Experience& e, const std::vector<Subject>& subjects) {
  for (const Subject& s : subjects) {
    bool before = s.role == "before";
    (before ? e.metrics_before : e.metrics_after) = record_metrics(s.launch);
    if (!before) continue;
    if (e.bottleneck.empty() && s.diagnosis.label.word != "unknown") e.bottleneck = s.diagnosis.label.word;
    if (e.stall.empty()) e.stall = s.diagnosis.stall;
  }
}

}  // namespace explog::cli
