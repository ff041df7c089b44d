// Baseline and candidate in processes of their own, in turns: what one of them does to the other's process, or to a clock in
// it, reaches nothing here.
#include <numeric>

#include "base/text.h"
#include "bench/judge/statistics.h"
#include "bench/judge/verdict.h"
#include "bench/judge/wall.h"
#include "bench/shape_timer.h"

namespace explog::bench {
namespace {

constexpr int warm_up_turns = 3;
constexpr std::array<std::size_t, 4> looks_apart = {12, 24, 48, 96};  // turns

constexpr double most_waiting = 0.05;  // of the baseline's time in a turn, for a processor
constexpr int most_disturbed = 100;    // turns

Fault disturbed_apart(const std::string& shape) {
  return {std::string(machine_busy),
          shape + ": the baseline in a process of its own waited for a processor in more than " +
              std::to_string(most_disturbed) + " turns: something else used the machine"};
}

ClaimedGain claimed_by(const ShapeRun& run) {
  std::vector<double> baseline, saved;
  for (const Block& b : run.blocks) {
    auto time = [&](Arm arm) { return median(of_arm(b.passes, arm).ms); };
    baseline.push_back((time(Arm::baseline) + time(Arm::baseline_again)) / 2);
    saved.push_back(baseline.back() - time(Arm::candidate));
  }
  return {median(baseline), median(saved)};
}

}  // namespace

// Where something else ran in the baseline's stead the turn says nothing, and is left out. What still disturbs a call makes it
// slower: so the fast ones speak, of both.
std::optional<Fault> ShapeTimer::turn_apart(Runner& baseline, bool first, Apart& apart) {
  PassResult alone;
  double waited = 0;
  auto time_baseline = [&] {
    waited -= baseline.waited_for_processor_ms();
    alone = baseline.pass(RunnerArm::baseline, of_arm(samples_, Arm::baseline), random_());
    waited += baseline.waited_for_processor_ms();
  };
  if (first) time_baseline();
  PassResult p = looked_at_pass();
  if (!first) time_baseline();
  double all = std::accumulate(alone.call_wall_ms.begin(), alone.call_wall_ms.end(), 0.0);
  if (waited > most_waiting * all)
    ++apart.disturbed;
  else
    apart.saved_ms.push_back(lower_quartile(alone.call_wall_ms) - lower_quartile(p.call_wall_ms));
  auto fault = suspicious(p, Arm::candidate);
  return fault || !verify_now() ? fault : verify_looked_at();
}

std::optional<Fault> ShapeTimer::confirm_apart(Runner& baseline, const ShapeRun& beside) {
  ClaimedGain claimed = claimed_by(beside);
  if (!(claimed.saved_ms > 0)) return std::nullopt;
  for (Arm arm : all_arms)
    of_arm(samples_, arm) = static_cast<int>(of_arm(beside.blocks[0].passes, arm).ms.size());
  runner_.shape(case_, sets_);
  baseline.shape(case_, sets_);
  Apart apart;
  for (int i = 0; i < warm_up_turns; ++i) {
    if (auto fault = turn_apart(baseline, true, apart)) return fault;
  }
  apart = {};
  const std::vector<double>& saved = apart.saved_ms;
  for (std::size_t look : looks_apart) {
    while (saved.size() < look) {
      if (apart.disturbed > most_disturbed) return disturbed_apart(dims_text(planned_.dims));
      if (auto fault = turn_apart(baseline, saved.size() % 2 == 0, apart)) return fault;
    }
    Seen seen = seen_apart(claimed, saved);
    if (seen == Seen::yes) return std::nullopt;
    if (seen == Seen::no) return unseen_apart(dims_text(planned_.dims), claimed, saved);
  }
  if (may_be_there(claimed, saved)) return std::nullopt;
  return unseen_apart(dims_text(planned_.dims), claimed, saved);
}

}  // namespace explog::bench
