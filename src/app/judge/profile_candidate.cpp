#include "app/judge/profile_candidate.h"

#include <algorithm>

#include "app/records/profiles.h"
#include "base/text.h"
#include "bench/judge/record.h"

namespace explog::app {
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

const ShapeRun* run_of(const Measurement& m, const Dims& dims) {
  if (m.runs.empty()) return nullptr;
  const auto& shapes = m.runs.back().shapes;
  auto it = std::find_if(shapes.begin(), shapes.end(), [&](const ShapeRun& s) { return s.dims == dims; });
  return it != shapes.end() ? &*it : nullptr;
}

}  // namespace

std::optional<Subject> profile_one(Workbench& bench, const Countable& counted, Profiler by,
                                   const std::string& role, const Session& session, Runner* counting) {
  Profile profile = profile_product(bench, counted, by, counting);
  std::vector<Launch> launches = launches_of(profile);
  const Launch* launch = longest(launches);
  if (!launch) {
    session.warn("no profile: " + (profile.missing.empty() ? "no kernel was seen" : profile.missing));
    return std::nullopt;
  }
  if (!profile.note.empty()) session.warn("profile: " + profile.note);
  sql::Db db = session.reader();
  Subject subject = subject_of(*launch, role, {}, db);
  subject.kernels = launches.size();
  subject.sums = sums_of(launches);
  return subject;
}

std::vector<Subject> profile_both(Workbench& bench, const Binaries& binaries, Profiler by,
                                  const Session& session) {
  std::vector<Subject> both;
  for (auto [role, library] : {std::pair("before", &binaries.baseline), {"after", &binaries.candidate}}) {
    PrivateFolder folder;
    auto subject = profile_one(bench, countable(bench, *library, folder), by, role, session);
    if (!subject) return {};
    both.push_back(std::move(*subject));
  }
  return both;
}

std::vector<Subject> formula_subjects(const Measurement& m, const Verdict& verdict, const Task& task,
                                      const Session& session) {
  const ShapeVerdict* shape = largest_shape(verdict);
  const ShapeRun* run = shape ? run_of(m, shape->dims) : nullptr;
  if (!run) return {};
  sql::Db db = session.reader();
  std::vector<Subject> subjects;
  for (auto [role, ms] : {std::pair("before", shape->baseline_ms), {"after", shape->candidate_ms}}) {
    Launch launch;
    launch.kernel = std::string_view(role) == "before" ? m.baseline.file : m.candidate.file;
    launch.arch = m.arch;
    launch.texts.emplace_back("device__attribute_display_name", m.gpu);
    Work work;
    work.bytes = run->bytes;
    work.flops_known = true;
    work.flops[static_cast<std::size_t>(diagnose::parse_roof(task.unit).value_or(diagnose::Roof::fp32))] =
        run->flops;
    work.seconds = ms * 1e-3;
    subjects.push_back(formula_subject(std::move(launch), role, {.peaks = {}, .formula = work}, db));
  }
  return subjects;
}

}  // namespace explog::app
