// The kernel a recommendation is asked for.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/experience.h"

namespace explog {

// A fact of the source that signals of the playbook may ask for, as strided_access: it is 1. `quote` is where the source shows it.
struct Shown {
  std::string name, quote;
};

struct Question {
  std::string kernel_type, family, backend, arch, bottleneck, dtype;
  Facts shape, state, metrics;
  std::optional<double> latency_ms;  // of the kernel as it is
  double reached =
      0;  // share of its roofline the kernel reaches with the traffic and arithmetic it has; 0 unknown
  std::string source;  // the kernel's source with comments blanked, or empty
  std::vector<Shown> shown;
};

}  // namespace explog
