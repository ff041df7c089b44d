// Counters of baseline and candidate, in processes apart from the timed ones: by CUPTI in the process, or by
// Nsight Compute around it. They tell what bounds a kernel and never decide a verdict.
#pragma once
#include <memory>
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

// The process that CUPTI counts in, which begins beside what the caller does next.
std::unique_ptr<Runner> begin_counting(Workbench& bench, const std::string& library);

// `library` is a product of the builder (baseline or candidate). A missing tool, library or permission is
// told in `missing`. `begun`: by begin_counting(), for CUPTI.
Profile profile_product(Workbench& bench, const std::string& library, Profiler by,
                        std::unique_ptr<Runner> begun = nullptr);

}  // namespace explog::bench
