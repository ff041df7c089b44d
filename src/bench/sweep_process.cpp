#include "bench/sweep_process.h"

#include <algorithm>
#include <utility>

#include "bench/cases.h"
#include "bench/judge/statistics.h"
#include "bench/workbench.h"

namespace explog::bench {
namespace {

constexpr auto moment = std::chrono::milliseconds(100);  // in which clocks stay as they are
constexpr double longest_ms = 150, longest_drift_ms = 30;
constexpr int most_calls = 21, fewest_calls = 9;  // 8 samples are the fewest with a 99% interval
// Of the baseline, whose median alone counts: a kernel of many milliseconds on a GPU shows drift in three.
constexpr int fewest_drift_calls = 3;

// As many as fit into `in_ms`.
int calls_in_time(double in_ms, double each_ms, int fewest, int most) {
  return static_cast<int>(std::clamp<double>(in_ms / std::max(each_ms, 1e-3), fewest, most));
}

}  // namespace

int calls_for_time(double each_ms) { return calls_in_time(longest_ms, each_ms, fewest_calls, most_calls); }

SweepProcess::SweepProcess(Setup setup, const Case& problem) : setup_(std::move(setup)), problem_(problem) {
  begin();
}

void SweepProcess::begin() {
  loaded_ = 0;
  started_ = false;
  drift_.reset();
  runner_.reset();  // before the next one is there: both might not fit
  runner_ = setup_.begin();
}

Runner& SweepProcess::runner() {
  if (started_) return *runner_;
  Workbench::greet(*runner_);
  or_error("the baseline " + setup_.baseline_name, [&] {
    runner_->load(RunnerArm::baseline, setup_.baseline);
    runner_->shape(problem_, 1);
    PassResult warm_up = runner_->pass(RunnerArm::baseline, 3, sweep_input_seed);
    int fewest = runner_->on_host() ? fewest_calls : fewest_drift_calls;
    drift_calls_ = calls_in_time(longest_drift_ms, median(warm_up.event_ms), fewest, fewest_calls);
  });
  started_ = true;
  return *runner_;
}

PassResult SweepProcess::drift_before() {
  if (drift_ && std::chrono::steady_clock::now() - seen_ < moment) return *drift_;
  return drift_after();
}

PassResult SweepProcess::drift_after() {
  drift_ = runner().pass(RunnerArm::baseline, drift_calls_, secret_seed());
  seen_ = std::chrono::steady_clock::now();
  return *drift_;
}

bool SweepProcess::still_works() {
  try {
    runner_->pass(RunnerArm::baseline, 1, sweep_input_seed);
    return true;
  } catch (const Failed&) {
    return false;
  }
}

std::optional<Fault> SweepProcess::with(const std::string& candidate,
                                        const std::function<std::optional<Fault>(Runner&)>& body) {
  try {
    if (setup_.most_candidates && ++loaded_ > *setup_.most_candidates) begin();
    Runner& held = runner();
    held.load(RunnerArm::candidate, candidate);
    return body(held);
  } catch (const Failed& f) {
    drift_.reset();
    if (!setup_.survives || !still_works()) begin();
    return Fault{f.reason, f.detail};
  }
}

}  // namespace explog::bench
