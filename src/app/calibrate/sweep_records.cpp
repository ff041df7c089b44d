#include "app/calibrate/sweep_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/judge/record.h"
#include "model/arch.h"
#include "model/backend.h"
#include "model/single_changes.h"
#include "model/vocabulary.h"

namespace explog::app {
namespace {

using namespace bench;

constexpr double widest = 2;  // e^2 either way says "not known" well enough

Trial trial_of(const std::optional<Measurement>& m) {
  using State = Trial::State;
  if (!m) return {State::unusable, 0, -1};
  if (auto time = quick_time(*m)) return {State::valid, time->ms, time->noise};
  if (m->correctness == Correctness::pass) return {State::unusable, 0, -1};  // right, but no time came of it
  return {m->correctness == Cause::compile_error ? State::build_failed : State::launch_failed, 0, -1};
}

// Rows in the order of the configurations.
MeasuredSpace measured_space(const SweepWork& work, const Measured& measured) {
  MeasuredSpace all;
  all.space = work.sweep.space;
  for (std::size_t row = 0; row < measured.size(); ++row)
    all.add(work.configurations[row], trial_of(measured[row]));
  all.finish();
  return all;
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

void set_interval(Experience& e, const Trial& before, const Trial& after) {
  double ratio = before.ms / after.ms, noise = std::exp(std::min(before.noise + after.noise, widest));
  e.speedup = rounded(ratio);
  e.speedup_lo = rounded(ratio / noise);
  e.speedup_hi = rounded(ratio * noise);
  if (*e.speedup_lo <= 1 && *e.speedup_hi >= 1) e.outcome = word(Outcome::neutral);
}

void set_failure(Experience& e, const Measurement& after) {
  e.correctness = after.correctness == Cause::compile_error ? "" : word(Correctness::fail);
  e.cause = cause_of(after.correctness);
  e.notes = after.correctness + ": " + after.correctness_detail.substr(0, 500);
}

void set_place(Experience& e, const SweepWork& work, const Measurement& m) {
  const Task& task = work.task.task;
  e.kernel_type = task.kernel_type;
  e.kernel = task.name + "/" + work.sweep.file;
  e.backend = recorded_backend(m.backend);
  if (canonical_arch(m.arch)) e.arch = m.arch;
  e.gpu = m.gpu;
  for (const Argument& a : task.arguments) {
    if (a.is_output() && e.dtype.empty()) e.dtype = dtype_name(a.dtype);
  }
  for (const auto& [name, value] : m.runs[0].shapes[0].dims)
    e.shape.emplace_back(name, static_cast<double>(value));
  e.level = word(Level::measured);
  e.campaign = "sweep";
  e.toolkit = m.toolkit;
  e.driver = m.driver;
  e.condition = m.mode + ", clock " + m.clock;
}

// A change back to a smaller value says what the change forth says: the store reads each record in both
// directions. Only where there is no way forth (it is to or from a configuration that does not run) is it
// kept.
std::vector<SingleChange> changes_of(MeasuredSpace& space) {
  std::vector<SingleChange> all;
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  while (auto change = space.next()) {
    pairs.emplace(change->base, change->target);
    all.push_back(std::move(*change));
  }
  std::erase_if(all, [&](const SingleChange& c) {
    return space.value(c.target, c.parameter) < space.value(c.base, c.parameter) &&
           pairs.contains({c.target, c.base});
  });
  return all;
}

}  // namespace

std::vector<Experience> sweep_experiences(const SweepWork& work, const Measured& measured) {
  MeasuredSpace space = measured_space(work, measured);
  std::vector<Experience> list;
  for (const SingleChange& change : changes_of(space)) {
    const Measurement& before = *measured[change.base];
    const Measurement& after = *measured[change.target];
    // Two clocks differ by more than a small change does.
    if (after.correctness == Correctness::pass && after.clock != before.clock) continue;
    Experience e = experience_of(space, change);
    set_place(e, work, before);
    // The base as a name: queries of a backtest are told apart by it.
    e.source_before = fmt::format("{}/{} {} {}", work.task.task.name, before.candidate.file,
                                  dims_text(before.runs[0].shapes[0].dims), before.gpu);
    e.source = "sweep " + e.kernel;
    if (after.correctness == Correctness::pass)
      e.correctness = word(Correctness::pass),
      set_interval(e, space.trial(change.base), space.trial(change.target));
    else
      set_failure(e, after);
    list.push_back(std::move(e));
  }
  return list;
}

}  // namespace explog::app
