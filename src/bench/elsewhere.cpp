#include "bench/elsewhere.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/judge/block_samples.h"
#include "bench/judge/statistics.h"

namespace explog::bench {
namespace {

constexpr double worth_a_word = 1.2;
constexpr double least_difference_ms = 0.002;  // below it two readings of the clock differ by as much
constexpr int rounds = 3, calls = 5;
constexpr double most_apart = 1.02;  // of the gain of calls and that of their replay
constexpr double least_apart_ms = 0.0005;

// Of the hidden shapes the larger half: on a tiny one the call itself is what is timed.
std::vector<PlannedCase> chosen(const Workbench& bench) {
  std::uint64_t chance = secret_seed();
  const auto& distributions = bench.task().distributions;
  std::vector<PlannedCase> cases;
  std::vector<Dims> hidden = hidden_shapes(bench);
  std::sort(hidden.begin(), hidden.end(), [](const Dims& a, const Dims& b) { return volume(a) > volume(b); });
  if (!hidden.empty()) cases.push_back({hidden[chance % ((hidden.size() + 1) / 2)], distributions[0], false});
  if (distributions.size() > 1)
    cases.push_back(
        {bench.backend().timed[0], distributions[1 + chance / 64 % (distributions.size() - 1)], true});
  return cases;
}

double least_median(Runner& runner, RunnerArm arm, bool by_kernels = false) {
  double least = 0;
  for (int i = 0; i < rounds; ++i) {
    double ms = median(samples_of(runner.pass(arm, calls, secret_seed()), by_kernels));
    if (i == 0 || ms < least) least = ms;
  }
  return least;
}

double median_of(const ShapeRun& shape, Arm arm) {
  std::vector<double> medians;
  for (const Block& block : shape.blocks) medians.push_back(median(of_arm(block.passes, arm).ms));
  return median(medians);
}

// Where host code has a part in the times that its plan does not tell.
std::string otherwise_called(const Workbench& bench, Runner& runner, const MeasurementRun& replayed,
                             const Progress& progress) {
  if (replayed.shapes.empty() || runner.device().clock != "cupti") return "";
  const ShapeRun& shape = replayed.shapes[secret_seed() % replayed.shapes.size()];
  if (shape.blocks.empty() || bench.task().given_at(shape.dims)) return "";
  progress("a look at calls of " + dims_text(shape.dims));
  runner.shape(make_case(bench.task(), shape.dims, bench.task().distributions[0]), 3);
  double before = least_median(runner, RunnerArm::baseline, true),
         after = least_median(runner, RunnerArm::candidate, true);
  if (!(before > 0 && after > 0)) return "";  // that clock does not hold here
  double called = before / after, gained = median_of(shape, Arm::baseline) / median_of(shape, Arm::candidate);
  double apart = std::max(called / gained, gained / called);
  if (apart < most_apart || after * (apart - 1) < least_apart_ms) return "";
  return fmt::format(
      "{}: called by its own process it is {:.3f} times as fast as the baseline, replayed {:.3f} times",
      dims_text(shape.dims), called, gained);
}

}  // namespace

std::vector<std::string> slower_elsewhere(Workbench& bench, const Binaries& binaries, Runner& runner,
                                          Runner& begins, const MeasurementRun& replayed,
                                          const Progress& progress) {
  std::vector<std::string> lines;
  Workbench::greet(runner);
  try {
    runner.load(RunnerArm::baseline, binaries.baseline);
    runner.load(RunnerArm::candidate, binaries.candidate);
    begins.has_begun();
    for (const PlannedCase& planned : chosen(bench)) {
      Case c = make_case(bench.task(), planned.dims, planned.distribution);
      progress("a look at " + c.name());
      runner.shape(c, 3);
      double before = least_median(runner, RunnerArm::baseline),
             after = least_median(runner, RunnerArm::candidate);
      if (after > worth_a_word * before && after - before > least_difference_ms)
        lines.push_back(
            fmt::format("{}: {:.2f} times as slow as the baseline there, which the verdict does not count",
                        c.name(), after / before));
    }
    if (std::string line = otherwise_called(bench, runner, replayed, progress); !line.empty())
      lines.push_back(std::move(line));
  } catch (const Failed& f) {
    lines.push_back("a look at other shapes and inputs failed: " + f.detail);
  }
  return lines;
}

}  // namespace explog::bench
