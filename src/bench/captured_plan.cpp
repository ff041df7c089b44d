#include "bench/captured_plan.h"

#include <array>
#include <utility>
#include <variant>

#include "bench/plan/check.h"

namespace explog::bench {

PlanDecision not_captured(const std::string& why) {
  PlanDecision decision;
  decision.judged = Judged::in_process;
  decision.reason = "it cannot be captured: " + why;
  decision.captured = false;
  return decision;
}

CapturedPlan read_captured(const Captured& captured, const std::set<std::string>& images) {
  if (!captured.error.empty()) return {not_captured(captured.error), {}, {}, {}};
  std::array<plan::Plan, 2> plans;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    auto read = read_plan(captured.plans[i]);
    if (auto* fault = std::get_if<std::string>(&read))
      return {{Judged::in_process, "its plan is not whole: " + *fault, {}}, {}, {}, {}};
    plans[i] = std::get<plan::Plan>(std::move(read));
  }
  PlanDecision decision = decide(plans[0], plans[1], images);
  return {std::move(decision), std::move(plans[1]), captured.chosen, direct_calls_in(captured.left)};
}

}  // namespace explog::bench
