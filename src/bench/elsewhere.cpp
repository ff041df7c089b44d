#include "bench/elsewhere.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/judge/statistics.h"

namespace explog::bench {
namespace {

constexpr double worth_a_word = 1.2;
constexpr double least_difference_ms = 0.002;  // below it two readings of the clock differ by as much
constexpr int rounds = 3, calls = 5;

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

double least_median(Runner& runner, RunnerArm arm) {
  double least = 0;
  for (int i = 0; i < rounds; ++i) {
    double ms = median(runner.pass(arm, calls, secret_seed()).event_ms);
    if (i == 0 || ms < least) least = ms;
  }
  return least;
}

}  // namespace

std::vector<std::string> slower_elsewhere(Workbench& bench, const Binaries& binaries, Runner& runner,
                                          Runner& begins, const Progress& progress) {
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
  } catch (const Failed& f) {
    lines.push_back("a look at other shapes and inputs failed: " + f.detail);
  }
  return lines;
}

}  // namespace explog::bench
