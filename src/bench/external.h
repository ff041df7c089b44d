// Programs that are no kernel: two versions of a file, measured in turns by a command of the user's.
#pragma once
#include <functional>
#include <string>

#include "model/experience.h"
#include "model/measurement.h"

namespace explog::bench {

// Run by the shell in `folder`. They find the version's file as $EXPLOG_FILE and a folder of its own, empty before its
// check, as $EXPLOG_WORK. `check` exits with 0 (right) or 1 (wrong), `measure` prints lines METRIC name=value.
struct ExternalCommands {
  std::string measure, check, folder;
};

struct ExternalVersion {
  std::string name;        // "v3"
  std::string file, work;  // full paths
};

struct ExternalOptions {
  std::string metric;       // that decides, less is better; empty: the first that is printed
  double max_seconds = 30;  // of measuring, once there is an interval or 45 blocks
  double limit_s = 600;     // for one run of a command
};

struct ExternalTiming {
  Measurement measurement;  // correctness, runs; names are the caller's to add
  std::string metric;
  Facts before, after;  // medians of all metrics
};

// Each check once, then the measuring command for both in turns. Throws Error(inconclusive) where the baseline, which was
// right before, fails now; where both are the same version that is an answer.
ExternalTiming time_external(const ExternalCommands& commands, const ExternalVersion& baseline,
                             const ExternalVersion& candidate, const ExternalOptions& options,
                             const std::function<void(const std::string&)>& progress);

}  // namespace explog::bench
