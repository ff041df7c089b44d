#include "bench/sabotage.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bench/check.h"
#include "bench/judge/beside.h"
#include "bench/judge/block_samples.h"
#include "bench/judge/statistics.h"
#include "bench/judge/verdict.h"
#include "bench/shape_timer.h"

namespace explog::bench {
namespace {

constexpr int looks_alone = 10, turns_taken = 24;

// One shape of a timing, and how its calls are timed.
struct TimedShape {
  const ShapeRun& run;
  Case problem;
  int sets, samples;
  bool by_kernels;
};

double baseline_ms(Runner& runner, const TimedShape& s) {
  PassResult p = runner.pass(RunnerArm::baseline, s.samples, secret_seed());
  return median(samples_of(p, s.by_kernels));
}

double slowdown_at_a_look(Runner& alone, const TimedShape& s) {
  std::vector<double> before, now;
  for (const Block& b : s.run.blocks) before.push_back(median(of_arm(b.passes, Arm::baseline).ms));
  alone.shape(s.problem, s.sets);
  for (int i = 0; i < looks_alone; ++i) now.push_back(baseline_ms(alone, s));
  return lower_quartile(std::move(before)) / std::max(lower_quartile(std::move(now)), 1e-9);
}

double slowdown_in_turns(Runner& both, Runner& alone, const TimedShape& s) {
  both.shape(s.problem, s.sets);
  std::vector<Turn> turns(turns_taken);
  bool first = false;
  for (Turn& turn : turns) {
    both.pass(RunnerArm::candidate, s.samples, secret_seed());
    if (first) turn.alone = baseline_ms(alone, s);
    turn.beside = baseline_ms(both, s);
    if (!first) turn.alone = baseline_ms(alone, s);
    first = !first;
  }
  return slowdown_beside(turns);
}

}  // namespace

std::optional<Fault> baseline_slowed(Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
                                     const Timing& timing) {
  double allowed = timing.clock == "steady" ? 1.25 : 1.05;
  Runner& alone = trusted.baseline();
  for (std::size_t i = 0; i < timing.run.shapes.size(); ++i) {
    const ShapeRun& run = timing.run.shapes[i];
    Case problem = make_case(bench.task(), run.dims, bench.task().distributions[0]);
    int samples = static_cast<int>(of_arm(run.blocks[0].passes, Arm::baseline).ms.size());
    TimedShape shape{run, problem, number_of_sets(problem, alone.device()), samples, timing.by_kernels[i]};
    double seen = slowdown_at_a_look(alone, shape);
    if (seen <= allowed) continue;
    double confirmed = 0;
    try {
      Runner both = bench.start_runner(binaries.demanding(), timing.use_cupti);
      both.load(RunnerArm::baseline, binaries.baseline);
      both.load(RunnerArm::candidate, binaries.candidate);
      confirmed = slowdown_in_turns(both, alone, shape);
      both.finish();
    } catch (const Failed& f) {
      return Fault{f.reason, dims_text(run.dims) + ": while the baseline was timed beside it, " + f.detail,
                   f.reason == "forged"};
    }
    if (confirmed > allowed)
      return Fault{
          "baseline_sabotaged",
          fmt::format(
              "{}: the baseline takes {:.2f} times as long with the candidate loaded, {:.2f} times in turns",
              dims_text(run.dims), seen, confirmed),
          true};
    return Fault{
        std::string(machine_busy),
        fmt::format("{}: the baseline took {:.2f} times as long while it was timed as afterwards, and not "
                    "because of the candidate: something else used the machine",
                    dims_text(run.dims), seen)};
  }
  return std::nullopt;
}

}  // namespace explog::bench
