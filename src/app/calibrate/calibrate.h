// The two halves of `explog calibrate`: ladders (steps that are one change apart) and sweeps (spaces of
// configurations), both measured on the GPUs here.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/calibrate/sweep_result.h"
#include "app/session/session.h"
#include "bench/judge/verdict.h"
#include "bench/ladder.h"

namespace explog::app {

struct CalibrateOptions {
  std::vector<std::string> families, gpus;
  std::string backend;  // empty: of ladders CUDA's and those of each language whose packages are here
  std::string arch;
  double budget_minutes = 0, max_seconds = 3;
  bool no_profile = false, sanitizer = false;
};

// What came of one step at one shape.
struct StepResult {
  bench::Step step;
  std::optional<bench::Decision> verdict;    // over all shapes; nothing when the step could not run
  std::optional<bench::ShapeVerdict> shape;  // nothing when none was timed
  std::string why_not;                       // timed
};

struct LadderResults {
  std::vector<StepResult> steps;
  std::size_t skipped = 0, left = 0;  // steps: measured before, and not reached
};
// Told as the work goes on, one call at a time.
struct LadderListener {
  std::function<void(const std::string& backend, std::size_t steps, std::size_t skipped)> begins;
  std::function<void(const StepResult&)> step;
};

// The steps that the options choose, in order. Throws Error(usage) for a family that has none. Warns of languages left out.
std::vector<bench::Step> chosen_steps(const CalibrateOptions& options, const Session& session);
// Measures what the database does not hold yet; each step is on disk before the next begins.
LadderResults calibrate_ladders(const CalibrateOptions& options, const Session& session,
                                const LadderListener& listener);

struct SweepResults {
  std::vector<SweepResult> sweeps;
  std::size_t left = 0;  // measurements not reached
};
struct SweepListener {
  std::function<void(std::size_t configurations, std::size_t skipped)> begins;
  std::function<void(const SweepResult&)> sweep;
};
std::vector<bench::FoundSweep> chosen_sweeps(const CalibrateOptions& options);
SweepResults calibrate_sweeps(const CalibrateOptions& options, const Session& session,
                              const SweepListener& listener);

}  // namespace explog::app
