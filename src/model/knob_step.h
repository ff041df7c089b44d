// A change of one knob that records know of, in the steps of features(), and how much it counts for a question.
#pragma once
#include <string>

#include "model/experience.h"

namespace explog {

struct KnobStep {
  Facts state;  // of the kernel before it
  std::string knob;
  int direction = 0;  // 1 more, -1 less, 0: to `to`
  double to = 0;      // a feature's value
  double gain = 0;    // log2 of the speed-up
  double weight = 0;  // 1 for a record that counts in full
};

}  // namespace explog
