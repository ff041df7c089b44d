// Baseline and candidate in processes of their own, in turns: what one of them does to the other's process, or to a clock in
// it, reaches nothing here.
#include "base/text.h"
#include "bench/judge/beside.h"
#include "bench/judge/statistics.h"
#include "bench/judge/wall.h"
#include "bench/shape_timer.h"

namespace explog::bench {
namespace {

constexpr int warm_up_turns = 3;
constexpr std::array<std::size_t, 4> looks_apart = {12, 24, 48, 96};  // turns

ClaimedGain claimed_by(const ShapeRun& run) {
  std::vector<double> baseline, saved;
  for (const Block& b : run.blocks) {
    auto time = [&](Arm arm) { return median(of_arm(b.passes, arm).ms); };
    baseline.push_back((time(Arm::baseline) + time(Arm::baseline_again)) / 2);
    saved.push_back(baseline.back() - time(Arm::candidate));
  }
  return {median(baseline), median(saved)};
}

// Of a call when nothing disturbs it: what else runs on the machine only makes calls slower.
double undisturbed(const PassResult& p) { return lower_quartile(p.call_own_ms); }

}  // namespace

std::optional<Fault> ShapeTimer::turn_apart(Runner& baseline, bool first, std::vector<double>& saved) {
  auto alone = [&] {
    return undisturbed(baseline.pass(RunnerArm::baseline, of_arm(samples_, Arm::baseline), random_()));
  };
  double before = first ? alone() : 0;
  PassResult p = looked_at_pass();
  saved.push_back((first ? before : alone()) - undisturbed(p));
  auto fault = suspicious(p, Arm::candidate);
  return fault || !verify_now() ? fault : verify_looked_at();
}

std::optional<Fault> ShapeTimer::confirm_apart(Runner& baseline, ShapeRun& beside) {
  ClaimedGain claimed = claimed_by(beside);
  if (!(claimed.saved_ms > 0)) return std::nullopt;
  for (Arm arm : all_arms)
    of_arm(samples_, arm) = static_cast<int>(of_arm(beside.blocks[0].passes, arm).ms.size());
  runner_.shape(case_, sets_);
  baseline.shape(case_, sets_);
  std::vector<double> saved;
  for (int i = 0; i < warm_up_turns; ++i) {
    if (auto fault = turn_apart(baseline, true, saved)) return fault;
  }
  saved.clear();
  for (std::size_t look : looks_apart) {
    while (saved.size() < look) {
      if (auto fault = turn_apart(baseline, saved.size() % 2 == 0, saved)) return fault;
    }
    beside.apart_saved_ms = saved;
    Seen seen = seen_apart(claimed, saved);
    if (seen == Seen::yes) return std::nullopt;
    if (seen == Seen::no) return unseen_apart(dims_text(planned_.dims), claimed, saved);
  }
  if (may_be_there(claimed, saved)) return std::nullopt;
  return unseen_apart(dims_text(planned_.dims), claimed, saved);
}

}  // namespace explog::bench
