// Baseline and candidate in processes of their own, in turns: what one of them does to the other's process, or to a clock in
// it, reaches nothing here.
#include "bench/judge/beside.h"
#include "bench/judge/statistics.h"
#include "bench/shape_timer.h"

namespace explog::bench {
namespace {

constexpr int calls_of_a_look = 4;  // in a pass, at most
constexpr std::size_t turns_of_a_look = 16;

// Of a call when nothing disturbs it: what else runs on the machine only makes calls slower.
struct Undisturbed {
  double own_ms = 0, worked_ms = 0;
};
Undisturbed undisturbed(const PassResult& p) {
  return {lower_quartile(p.call_own_ms), lower_quartile(p.call_worked_ms)};
}

}  // namespace

std::optional<Fault> ShapeTimer::turn_apart(Runner& baseline, bool first, SavedApart& saved) {
  auto alone = [&] {
    return undisturbed(baseline.pass(RunnerArm::baseline, of_arm(samples_, Arm::baseline), random_()));
  };
  Undisturbed before = first ? alone() : Undisturbed{};
  PassResult p = looked_at_pass();
  Undisturbed with = undisturbed(p), without = first ? before : alone();
  saved.own_ms.push_back(without.own_ms - with.own_ms);
  saved.worked_ms.push_back(without.worked_ms - with.worked_ms);
  auto fault = suspicious(p, Arm::candidate);
  return fault || !verify_now() ? fault : verify_looked_at();
}

std::optional<Fault> ShapeTimer::begin_apart(Runner& baseline, const ShapeRun& beside, int warm_up_turns,
                                             int most_calls) {
  for (Arm arm : all_arms)
    of_arm(samples_, arm) =
        std::min(most_calls, static_cast<int>(of_arm(beside.blocks[0].passes, arm).ms.size()));
  runner_.shape(case_, sets_);
  baseline.shape(case_, sets_);
  SavedApart ignored;
  for (int i = 0; i < warm_up_turns; ++i) {
    if (auto fault = turn_apart(baseline, true, ignored)) return fault;
  }
  return std::nullopt;
}

std::optional<Fault> ShapeTimer::look_apart(Runner& baseline, const ShapeRun& beside, SavedApart& saved) {
  if (auto fault = begin_apart(baseline, beside, 1, calls_of_a_look)) return fault;
  SavedApart here;
  for (std::size_t turn = 0; turn < turns_of_a_look; ++turn) {
    if (auto fault = turn_apart(baseline, turn % 2 == 0, here)) return fault;
  }
  saved.own_ms.push_back(median(here.own_ms));
  saved.worked_ms.push_back(median(here.worked_ms));
  return std::nullopt;
}

}  // namespace explog::bench
