// bench: task + candidate -> right, and faster? -> verdict, and with `record` a place in the memory.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/judge/bench_request.h"
#include "bench/check.h"
#include "bench/judge/verdict.h"
#include "bench/timing.h"
#include "diagnose/subject.h"

namespace explog::app {

// What the record of an attempt says besides its measurement.
struct RecordFields {
  std::string strategy, kernel_name, bottleneck, hypothesis, notes, campaign, parent;
  Facts state, expected;            // expected: counters, and how they should move in percent
  std::optional<double> iteration;  // its number in the campaign
  bool new_baseline = false;        // record although task or harness moved since this baseline was measured
};

struct BenchOptions {
  BenchNames names;
  bench::TimingOptions timing;
  std::string profiler;  // cupti, ncu, or empty for none
  std::string save;      // file that keeps the whole measurement
  std::optional<RecordFields> record;
  bool record_noise = true;  // also what came out inconclusive; false: it is measured again
};

struct Judged {
  Measurement measurement;
  bench::Verdict verdict;
  std::vector<diagnose::Subject> profile;  // baseline and candidate, where it was asked for
  std::vector<std::string> ids;            // of the records, one a shape that was timed
  std::vector<bench::ShapeReport> checked;
  std::string printed;   // by the candidate
  std::string sandbox;   // what confined it; empty where it did not run
  bool derived = false;  // from a saved file: nothing was measured now
};

// Throws Error(usage) before anything is measured when the attempt could not be recorded.
Judged bench_candidate(const BenchOptions& options, const Session& session);
// The verdict of a saved measurement, which can be written by anybody: it is never recorded. Throws Error(usage) when the
// file holds none.
Judged judge_saved(const std::string& path);

}  // namespace explog::app
