#include "bench/timing.h"

#include <algorithm>

#include "base/text.h"
#include "bench/check.h"
#include "bench/shape_timer.h"

namespace explog::bench {

namespace {

// Threads that may run on; counted before the candidate's constructors.
int load_both(Runner& runner, TrustedProcesses& trusted, const std::string& baseline,
              const std::string& candidate) {
  runner.load(RunnerArm::baseline, baseline);
  int allowed = std::max(runner.threads(), trusted.threads());
  runner.load(RunnerArm::candidate, candidate);
  return is_module(candidate) || is_module(baseline) ? any_threads : allowed;
}

}  // namespace

std::unique_ptr<Runner> begin_timing(Workbench& bench, const Binaries& binaries, Judged judged,
                                     bool use_cupti) {
  if (judged == Judged::replay) return std::unique_ptr<Runner>(new Runner(bench.begin_replay()));
  return std::unique_ptr<Runner>(new Runner(bench.begin_runner(binaries.demanding(), use_cupti)));
}

Timing time_candidate(Workbench& bench, TrustedProcesses& trusted, Runner& runner, const Binaries& binaries,
                      const Plans& plans, const Timing* before, const TimingOptions& options,
                      const Progress& progress) {
  Timing timing;
  bool replays = plans.judged == Judged::replay;
  Workbench::greet(runner);
  if (before) runner.draw_like(before->draws);
  timing.draws = runner.draws();
  timing.device = runner.device();
  timing.use_cupti = options.use_cupti;
  std::string where;
  try {
    int allowed = replays ? 0 : load_both(runner, trusted, binaries.baseline, binaries.candidate);
    const auto& timed = bench.backend().timed;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      where = " " + dims_text(timed[i]);
      const ShapePlans* shape = replays ? &plans.shapes[i] : nullptr;
      if (shape) allowed = load_both(runner, trusted, shape->files[0], shape->files[1]);
      ShapeTimer timer(bench, trusted, runner, timed[i], shape, options, allowed, progress);
      if (before && i < before->left.size()) timer.make_again(before->left[i]);
      if ((timing.fault = timer.run(timing))) break;
    }
    if (!timing.device.cupti_missing.empty())
      timing.warnings.push_back("no CUPTI (" + timing.device.cupti_missing + "): times are by events");
  } catch (const Failed& f) {
    timing.fault = Fault{f.reason, "while timing" + where + ", " + f.detail, f.reason == "forged"};
  }
  const bool goes_on = replays && options.replays && !timing.fault;
  if (!goes_on && runner.finish().left_behind > 0 && !timing.fault)
    timing.fault = Fault{"process_left", "processes were left behind", true};
  return timing;
}

}  // namespace explog::bench
