// Who judges a GPU candidate: the replay of its plan, its own process, or nobody.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan.h"

namespace explog::bench {

enum class Judged { replay, in_process, refused };
std::string_view judged_name(Judged judged);

constexpr const char* work_escaped = "work_escaped";

struct PlanDecision {
  Judged judged = Judged::replay;
  std::string reason;                // one line for a person; empty for a replay
  std::vector<std::string> notes;    // what did not decide, and a person may want to know
  std::string fault = work_escaped;  // of a refusal: the word of the verdict
  bool captured = true;              // false: there were no plans to decide by
};

// By the plans of two calls with other buffers and other inputs, both free of faults. `build` are the hashes of
// the images that our own compilation made; empty: not known.
PlanDecision decide(const plan::Plan& one, const plan::Plan& other, const std::set<std::string>& build = {});

// Kernels, copies and memsets that a profiler must see in one call.
std::uint64_t activities_of(const plan::Plan& p);

}  // namespace explog::bench
