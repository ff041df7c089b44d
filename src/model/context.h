// The kernel a recommendation is asked for.
#pragma once
#include <string>

#include "model/experience.h"

namespace explog {

struct Context {
  std::string kernel_type, family, backend, arch, bottleneck, dtype;
  Facts shape, state, metrics;
  std::string source;  // the kernel's source with comments blanked, or empty
};

}  // namespace explog
