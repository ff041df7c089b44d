// Secondary findings of a profile: what else stands out, each with its figures, and those that were held
// back.
#pragma once
#include <string>
#include <vector>

#include "diagnose/label.h"

namespace explog::diagnose {

struct Finding {
  std::string rule;        // "bank_conflicts"
  std::string text;        // what it is
  std::string hint;        // what usually helps
  std::string confidence;  // high, medium, low
  std::vector<Evidence> evidence;
};

struct Findings {
  std::vector<Finding> found;
  std::vector<Finding> suppressed;  // their text says why they do not count
};

Findings findings_of(const Launch& launch);

// Why warps wait, by share of the time between two issued instructions.
struct Stall {
  std::string reason;  // "long_scoreboard"
  double share = 0;
  std::string meaning, hint;
  bool benign = false;
};
std::vector<Stall> stalls_of(const Launch& launch);  // longest first; without those below 1%

// The stall that is a cause: above 30% where fewer than 0.8 instructions a cycle are issued; "" when there is
// none.
std::string dominant_stall(const Launch& launch, const std::vector<Stall>& stalls);

}  // namespace explog::diagnose
