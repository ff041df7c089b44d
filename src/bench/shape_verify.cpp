// What timed calls left, against the reference.
#include <algorithm>

#include "bench/check.h"
#include "bench/judge/verify.h"
#include "bench/shape_timer.h"

namespace explog::bench {
namespace {

// Right when checked, wrong later: no accident, unless it is only less precise.
Fault later(Fault fault, const std::string& when) {
  fault.detail = when + ", " + fault.detail;
  bool wrong_result = fault.reason == "wrong_values" || fault.reason == "nan";
  if (wrong_result && !fault.imprecise) fault.reason = "stale_result", fault.cheat = true;
  return fault;
}

// Nor is what else such a call does wrong.
Fault during(Fault fault, const std::string& when) {
  fault.cheat |= !fault.imprecise;
  return later(std::move(fault), when);
}

}  // namespace

// The slots in bench.outputs against what inputs of a seed must give.
std::optional<Fault> ShapeTimer::verify_outputs(std::uint64_t input_seed, std::uint64_t poison,
                                                const std::string& when) {
  bench_.inputs.reserve(case_.input_bytes());
  generate_inputs(case_, input_seed, bench_.inputs.data());
  Slots slots{bench_.outputs.data(), poison};
  if (auto fault = touched(case_, slots, bench_.inputs.data())) return during(*fault, when);
  trusted_.reference.compute(case_);
  std::vector<Comparison> errors;
  RowErrors allowed = prepared_.baseline;
  for (double& row : allowed) row *= 1.5;  // other inputs than those the baseline's error is from
  if (auto fault = wrong(case_, slots, trusted_.reference.expected(case_), allowed, errors))
    return during(*fault, when);
  return std::nullopt;
}

// Calls back to back must be right too: of a burst of random length the last one, which alone works on the last set. (What
// is changed in place is not what it was after more than one.)
std::optional<Fault> ShapeTimer::verify_burst(int most) {
  std::uint64_t seed = random_(), poison = random_() | 1;
  int last = sets_ - 1;
  runner_.pass(RunnerArm::candidate, sets_, seed);  // inputs of each set that are known here
  int count = 2 + static_cast<int>(random_() % static_cast<std::uint64_t>(std::max(1, most - 1)));
  runner_.burst(RunnerArm::candidate, count, poison);
  bench_.outputs.reserve(slots_bytes(case_));
  runner_.fetch(last, bench_.outputs.data());
  return verify_outputs(runner_.order(seed, last).seed, poison, "in a call right after another");
}

// After the timing: new inputs through the same pointers. A replay keeps nothing from call to call.
std::optional<Fault> ShapeTimer::verify_after() {
  if (repeatable_) return std::nullopt;
  progress_(fmt::format("checking {} again", dims_text(planned_.dims)));
  for (int set = 0; set < sets_; set += std::max(1, sets_ - 1)) {  // the first and the last
    PreparedCase prepared = prepare_case(bench_, trusted_, planned_, secret_seed());
    ShapeReport ignored;
    bool deterministic = true;
    auto fault = verify_case(bench_, trusted_.reference, runner_, set, prepared, ignored, deterministic);
    if (!fault) fault = verify_changed_element(bench_, trusted_, runner_, set, prepared, random_());
    if (fault) return later(*fault, "after the timing");
  }
  return std::nullopt;
}

}  // namespace explog::bench
