// The one spelling in which the store keeps the words of a record.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/experience.h"

namespace explog {

struct Respelled {
  std::vector<std::string> mended;   // "bottleneck 'memory-bound' read as 'memory'"
  std::vector<std::string> unknown;  // "unknown cause 'bug', dropped"
};

// Brings kernel type, strategy, arch, data type and the words of closed vocabularies into it, in place. A word
// that is not known becomes what stands for it, and an arch that is not given is the GPU's. `highest_level`
// caps the evidence level.
Respelled respell(Experience& e, std::string_view highest_level);

}  // namespace explog
