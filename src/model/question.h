// The kernel a recommendation is asked for.
#pragma once
#include <string>

#include "model/experience.h"

namespace explog {

struct Context {
  std::string kernel_type, family, backend, arch, bottleneck, dtype;
  Facts shape, state, metrics;
  double reached =
      0;  // share of its roofline the kernel reaches with the traffic and arithmetic it has; 0 unknown
  std::string source;  // the kernel's source with comments blanked, or empty
};

}  // namespace explog
