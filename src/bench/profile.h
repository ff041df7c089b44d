// Counters of baseline and candidate, in processes apart from the timed ones: by CUPTI in the process, or by
// Nsight Compute around it. They tell what bounds a kernel and never decide a verdict. As timed, they are those of a plan that is
// replayed; where there is none, those of the candidate's own process, which says so.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bench/plans.h"
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

// What a process is to load for it.
struct Countable {
  std::string file;  // a plan, or a product of the builder (baseline or candidate)
  bool is_plan = false;
  std::string reason;  // why it is no plan
};

// Captures a product at the shape that is profiled; its plan lies in `folder`.
Countable countable(Workbench& bench, const std::string& library, const PrivateFolder& folder);
// The same without a capture, where a bench has made the plans.
Countable countable(const Workbench& bench, const Binaries& binaries, const Plans& plans, RunnerArm arm);

// The process that CUPTI counts plans in, which begins beside what the caller does next.
std::unique_ptr<Runner> begin_counting(Workbench& bench);

// A missing tool, library or permission is told in `missing`. `counting`: by begin_counting(), for CUPTI and plans, one after
// the other; after a failure it counts no more.
Profile profile_product(Workbench& bench, const Countable& counted, Profiler by, Runner* counting = nullptr);

}  // namespace explog::bench
