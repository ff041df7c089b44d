// One verified call: what came back, held against what must come back.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/judge/compare.h"

namespace explog::bench {

// Why a candidate is not right. `cheat` separates evidence of deceit from a mistake.
struct Fault {
  std::string reason, detail;
  bool cheat = false;
  bool imprecise = false;  // no further off than honest arithmetic of fewer bits
};

// Slots of all arguments as one run left them, in the order of the task's arguments.
struct Slots {
  const char* base = nullptr;
  std::uint64_t poison = 0;
};
std::size_t slots_bytes(const Case& c);
const char* slot_of(const Case& c, const Slots& slots, std::size_t operand);

// Largest row error the baseline made for each output of a case; empty when it is not to be compared with.
using RowErrors = std::vector<double>;

// Guards of every argument and, where `inputs` is given, the inputs themselves: untouched?
std::optional<Fault> touched(const Case& c, const Slots& slots, const char* inputs);
// Elements that neither run wrote.
std::optional<Fault> not_written(const Case& c, const Slots& a, const Slots& b);
// Each output against what is expected of it; `errors` receives the worst row of each output. `before` is what an
// earlier call left for other inputs, if any.
std::optional<Fault> wrong(const Case& c, const Slots& slots, std::span<const Expected> expected,
                           const RowErrors& baseline, std::vector<Comparison>& errors,
                           const Slots& before = {});
// Whether two runs gave the same bytes in every output.
bool same_outputs(const Case& c, const Slots& a, const Slots& b);

}  // namespace explog::bench
