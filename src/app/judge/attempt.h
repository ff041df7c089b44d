// One judged attempt and its way into the memory: what `bench` and `calibrate` share.
#pragma once
#include <string>
#include <vector>

#include "app/judge/bench_request.h"
#include "app/judge/neighbours.h"
#include "app/judge/profile_candidate.h"
#include "app/records/kept_code.h"
#include "bench/measure.h"

namespace explog::app {

struct Attempted {
  Measurement measurement;
  std::vector<Subject> profile;  // baseline and candidate; empty when not wanted or not to be had
  std::vector<bench::ShapeReport> checked;
  std::string printed;    // by the candidate
  std::string sandbox;    // what confined it; empty where it did not run
  Neighbours neighbours;  // while it was timed
  std::string chosen;     // by a candidate that tunes itself, where it was replayed: for add_chosen()
  BothCodes codes;        // device code of baseline and candidate, where nvcc made it
};

// Builds, checks, times and, with `profiler` (cupti, ncu or empty), profiles.
Attempted attempt(bench::Workbench& bench, const BenchRequest& request, const bench::TimingOptions& timing,
                  const std::string& profiler, const Session& session, const Listener& progress);

// What was expected of its counters, in percent, as its record keeps it.
void add_expected(Experience& e, const Facts& expected);

// Into the params of each record of a shape: what the candidate tuned itself to there. Params that are there stay.
void add_chosen(std::vector<Experience>& experiences, const std::string& chosen);

// Measurement and experiences in one transaction; the experiences' ids. Warnings go to standard error. Throws
// Error(usage) when one cannot be stored.
std::vector<std::string> record_attempt(const Session& session, const Measurement& m,
                                        std::vector<Experience> experiences);

}  // namespace explog::app
