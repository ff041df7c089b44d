// The two halves of `calibrate`: ladders and sweeps.
#pragma once
#include <string>
#include <vector>

#include "cli/context.h"

namespace explog::cli {

struct CalibrateOptions {
  std::vector<std::string> families, gpus;
  std::string backend = "cuda", arch;
  double budget_minutes = 0, max_seconds = 3;
  bool sweep = false, dry_run = false, no_profile = false, sanitizer = false;
};

int calibrate_ladders(const CalibrateOptions& o, Context& context);
int calibrate_sweeps(const CalibrateOptions& o, Context& context);

// Throws Error(usage) for a family that is not among `names`; `what` is "ladder" or "sweep".
void check_families(const CalibrateOptions& o, const std::vector<std::string>& names,
                    const std::string& what);
bool is_wanted(const CalibrateOptions& o, const std::string& family);

}  // namespace explog::cli
