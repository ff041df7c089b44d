#include "app/campaign/bound.h"

#include <algorithm>

#include "app/records/profiles.h"
#include "bench/find_task.h"
#include "bench/judge/case.h"

namespace explog::app {
namespace {

// The shape that takes longest.
const campaign::ShapeResult* longest_of(const campaign::Judged& judged) {
  auto longest = std::max_element(judged.shapes.begin(), judged.shapes.end(),
                                  [](const auto& a, const auto& b) { return a.ms < b.ms; });
  return longest == judged.shapes.end() ? nullptr : &*longest;
}

// Operations, bytes and time at that shape.
diagnose::Work work_of(const campaign::Judged& judged, const campaign::Contract& contract, const Task& task) {
  diagnose::Work work;
  const campaign::ShapeResult* longest = longest_of(judged);
  const TaskBackend* backend = task.backend(contract.backend);
  const auto roof = diagnose::parse_roof(task.unit);
  if (longest == nullptr || backend == nullptr || !roof) return work;
  for (const Dims& dims : backend->timed) {
    if (dims_text(dims) != longest->shape) continue;
    const bench::Case at = bench::make_case(task, dims, task.distributions.front());
    work.flops[static_cast<std::size_t>(*roof)] = at.flops;
    work.flops_known = true;
    work.bytes = at.bytes, work.seconds = longest->ms * 1e-3;
    work.source = "formula";
  }
  return work;
}

}  // namespace

std::optional<Launch> launch_of(const campaign::Version& version, const campaign::Contract& contract) {
  if (!version.profile || version.profile->counters.empty()) return std::nullopt;
  Facts counters;
  for (const campaign::Counter& c : version.profile->counters) counters.emplace_back(c.name, c.value);
  const auto& judged = version.judged;
  return launch_of(counters, version.profile->kernel, judged ? judged->arch : contract.arch,
                   judged ? judged->gpu : "");
}

Bound bound_of(const campaign::Version& version, const campaign::Contract& contract,
               const std::optional<diagnose::Diagnosis>& counted, const Session& session) {
  Bound bound;
  if (!version.judged) return bound;
  bound.roof = over_shapes(version.judged->shapes, &campaign::ShapeResult::roof);
  if (counted) return bound.diagnosis = *counted, bound;
  BesideCounters known;
  known.formula = work_of(*version.judged, contract, bench::find_task(contract.task, session.data_dir).task);
  Launch launch = launch_of({}, version.proposal.file, version.judged->arch, version.judged->gpu);
  sql::Db db = session.reader();
  bound.diagnosis = formula_subject(std::move(launch), "", known, db).diagnosis;
  if (known.formula.bytes > 0) bound.diagnosis.label.why += " (" + longest_of(*version.judged)->shape + ")";
  return bound;
}

}  // namespace explog::app
