// One kernel that was looked at: its launch, what the GPU could do, and what bounds it.
#pragma once
#include <string>

#include "diagnose/diagnose.h"

namespace explog::diagnose {

struct Subject {
  std::string role;  // before, after or empty
  Launch launch;
  std::size_t launches = 1;  // that it stands for
  std::size_t kernels = 1;   // launches of one call, of which it is the longest
  double time_share = 0;     // of all kernels' time; 0 unknown
  Facts sums;                // of counters, over all launches of one call; sorted by name
  Peaks peaks, nominal;      // of this GPU; of its kind
  Diagnosis diagnosis;
};

}  // namespace explog::diagnose
