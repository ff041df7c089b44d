// Counters of baseline and candidate, in processes apart from the timed ones: by CUPTI in the process, or by
// Nsight Compute around it. They tell what bounds a kernel and never decide a verdict.
#pragma once
#include <string>
#include <vector>

#include "bench/workbench.h"
#include "model/profile.h"

namespace explog::bench {

struct Profile {
  Dims dims;                     // the shape that was profiled: the largest timed one
  std::vector<Launch> launches;  // by CUPTI
  std::string csv;               // by Nsight Compute: its raw page
  std::string missing;           // why there is neither, one sentence with the remedy; empty: there is
  std::string note;              // a caveat
};

enum class Profiler { cupti, ncu };

// `library` is a product of the builder (baseline or candidate). A missing tool, library or permission is
// told in `missing`.
Profile profile_product(Workbench& bench, const std::string& library, Profiler by);

}  // namespace explog::bench
