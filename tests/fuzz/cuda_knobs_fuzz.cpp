#include "model/cuda_knobs.h"

#include "base/error.h"
#include "base/text.h"
#include "broken.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

// What needs nothing can be declared as it is printed, and the value that stands there is the original then.
void fuzz_cuda_knobs(std::string_view data) {
  for (const FoundConstant& c : found_in_cuda(data, "k.cu")) {
    if (c.knob.values.size() != 3 || c.knob.values[1] != c.original)
      broken("values beside its own", c.knob.name);
    if (!c.needs.empty()) continue;
    try {
      TuningSpace space = tuning_space({{c.knob}, {}, {}}, data, "k.cu");
      if (space.original.front().second != Scalar(c.original)) broken("another original", c.knob.name);
    } catch (const Error& e) {
      broken(e.what(), c.knob.name);
    }
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_cuda_knobs)
