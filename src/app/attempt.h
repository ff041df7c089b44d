// One judged attempt and its way into the memory: what `bench` and `calibrate` share.
#pragma once
#include <string>
#include <vector>

#include "bench/measure.h"
#include "cli/bench_profile.h"
#include "cli/judging.h"

namespace explog::cli {

// Names and hashes of what is measured, before it is: for records that are there already.
Measurement named_measurement(const bench::Workbench& bench, const Judgement& judgement);

struct Attempted {
  Measurement measurement;
  std::vector<Subject> profile;  // baseline and candidate; empty when not wanted or not to be had
  std::string printed;           // by the candidate
};

// Builds, checks, times and, with `profiler` (cupti, ncu or empty), profiles.
Attempted attempt(bench::Workbench& bench, const Judgement& judgement, const bench::TimingOptions& timing,
                  const std::string& profiler, Context& context, const bench::Progress& progress);

// Measurement and experiences in one transaction; the experiences' ids. Warnings go to standard error. Throws
// Error(usage) when one cannot be stored.
std::vector<std::string> record_attempt(Context& context, const Measurement& m,
                                        std::vector<Experience> experiences);

}  // namespace explog::cli
