#include "cli/sweep_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/record.h"
#include "intake/one_change.h"
#include "model/arch.h"

namespace explog::cli {
namespace {

using namespace bench;

constexpr double widest = 2;  // e^2 either way says "not known" well enough

intake::Measured state_of(const std::optional<Measurement>& m) {
  using State = intake::Measured::State;
  if (!m) return {State::unusable, 0, -1};
  if (auto time = light_time(*m)) return {State::valid, time->ms, time->noise};
  if (m->correctness == "pass") return {State::unusable, 0, -1};  // right, but no time came of it
  return {m->correctness == "compile_error" ? State::build_failed : State::launch_failed, 0, -1};
}

// Rows in the order of the configurations.
intake::Space space_of(const SweepWork& work, const Measured& measured) {
  intake::Space space;
  for (const SweepParameter& p : work.sweep.parameters) space.axes.emplace_back().name = p.name;
  for (std::size_t row = 0; row < measured.size(); ++row) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < space.axes.size(); ++i)
      values.push_back(space.axes[i].number_of(static_cast<double>(work.settings[row][i].second)));
    space.add(values, state_of(measured[row]));
  }
  intake::name_axes(space.axes);
  space.finish();
  return space;
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

void set_interval(Experience& e, const intake::Measured& before, const intake::Measured& after) {
  double ratio = before.ms / after.ms, noise = std::exp(std::min(before.noise + after.noise, widest));
  e.speedup = rounded(ratio);
  e.speedup_lo = rounded(ratio / noise);
  e.speedup_hi = rounded(ratio * noise);
  if (*e.speedup_lo <= 1 && *e.speedup_hi >= 1) e.outcome = "neutral";
}

void set_failure(Experience& e, const Measurement& after) {
  e.correctness = after.correctness == "compile_error" ? "" : "fail";
  e.cause = cause_of(after.correctness);
  e.notes = after.correctness + ": " + after.correctness_detail.substr(0, 500);
}

void set_place(Experience& e, const SweepWork& work, const Measurement& m) {
  const Task& task = work.task.task;
  e.kernel_type = task.kernel_type;
  e.kernel = task.name + "/" + work.sweep.file;
  e.backend = m.backend == "cuda" ? "cuda" : "other";
  if (canonical_arch(m.arch)) e.arch = m.arch;
  e.gpu = m.gpu;
  for (const Argument& a : task.arguments) {
    if (a.is_output() && e.dtype.empty()) e.dtype = dtype_name(a.dtype);
  }
  for (const auto& [name, value] : m.runs[0].shapes[0].dims)
    e.shape.emplace_back(name, static_cast<double>(value));
  e.level = "measured";
  e.campaign = "sweep";
  e.toolkit = m.toolkit;
  e.driver = m.driver;
  e.condition = m.mode + ", clock " + m.clock;
}

// A change back to a smaller value says what the change forth says: the store reads each record in both
// directions. Only where there is no way forth (it is to or from a configuration that does not run) is it
// kept.
std::vector<intake::Change> changes_of(intake::Space& space) {
  std::vector<intake::Change> all;
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  while (auto change = space.next()) {
    pairs.emplace(change->base, change->target);
    all.push_back(std::move(*change));
  }
  std::erase_if(all, [&](const intake::Change& c) {
    return space.scalar(c.target, c.axis) < space.scalar(c.base, c.axis) &&
           pairs.contains({c.target, c.base});
  });
  return all;
}

}  // namespace

std::vector<Experience> sweep_experiences(const SweepWork& work, const Measured& measured) {
  intake::Space space = space_of(work, measured);
  std::vector<Experience> list;
  for (const intake::Change& change : changes_of(space)) {
    const Measurement& before = *measured[change.base];
    const Measurement& after = *measured[change.target];
    // Two clocks differ by more than a small change does.
    if (after.correctness == "pass" && after.clock != before.clock) continue;
    Experience e = experience_of(space, change);
    set_place(e, work, before);
    // The base as a name: queries of a backtest are told apart by it.
    e.source_before = fmt::format("{}/{} {} {}", work.task.task.name, before.candidate.file,
                                  dims_text(before.runs[0].shapes[0].dims), before.gpu);
    e.source = "sweep " + e.kernel;
    if (after.correctness == "pass")
      e.correctness = "pass", set_interval(e, space.measured(change.base), space.measured(change.target));
    else
      set_failure(e, after);
    list.push_back(std::move(e));
  }
  return list;
}

}  // namespace explog::cli
