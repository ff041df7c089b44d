// What a capture left, read and held against the rules: who may judge by it.
#pragma once
#include <set>
#include <string>

#include "bench/harness/capture.h"
#include "bench/plan/direct_calls.h"
#include "bench/plan/rules.h"

namespace explog::bench {

struct CapturedPlan {
  PlanDecision decision;
  plan::Plan plan;     // of a replay: the second of the two that were compared
  std::string chosen;  // of Python's: for chosen_settings()
  DirectCalls direct;
};

// `images`: hashes of those that our own compilation made; empty: not known.
CapturedPlan read_captured(const Captured& captured, const std::set<std::string>& images);
PlanDecision not_captured(const std::string& why);

}  // namespace explog::bench
