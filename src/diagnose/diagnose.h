// Metrics -> what bounds the kernel, how that is known, and how much room is left.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "diagnose/findings.h"
#include "diagnose/label.h"
#include "diagnose/roofline.h"

namespace explog::diagnose {

struct Diagnosis {
  std::string source;               // ncu (counters), formula (operations, bytes and time), none
  Label label;                      // of the counters when there are some, else of the roofline
  std::string confidence;           // high, medium, low
  std::vector<std::string> doubts;  // why it is not high
  std::optional<Roofline> roofline;
  Findings findings;
  std::vector<Stall> stalls;
  std::string stall;  // the one that is a cause, or ""
  double time_ms = 0;
};

// A launch with counters. `formula` fills in operations or bytes that the counters do not tell.
Diagnosis diagnose(const Launch& launch, const Peaks& peaks, const Work& formula, Rules rules);
// From operations, bytes and time alone.
Diagnosis diagnose(const Work& formula, const Peaks& peaks);

// A share of the roof from which little is left to gain.
constexpr double at_the_roof = 0.95;

}  // namespace explog::diagnose
