// Everything one `explog bench` measured: enough to derive its verdict again without a GPU.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace explog {

// 1, without the runner, 2, without errors, 3, without launch times, 4, without what was saved apart, and 5, without weights,
// are read as well.
constexpr int measurement_format = 6;

// One block: three passes in random order. The baseline runs twice, so that every block also tells how far
// two equal kernels seem apart. Samples are milliseconds of one call.
enum class Arm { baseline, candidate, baseline_again };
constexpr std::array<Arm, 3> all_arms = {Arm::baseline, Arm::candidate, Arm::baseline_again};
// The element of an array that has one for each arm.
template <class Array>
auto& of_arm(Array& by_arm, Arm arm) {
  return by_arm[static_cast<std::size_t>(arm)];
}
inline std::string_view word(Arm arm) {
  constexpr std::array<std::string_view, 3> words = {"baseline", "candidate", "baseline_again"};
  return of_arm(words, arm);
}

struct Pass {
  std::vector<double> ms;
  double sm_mhz = 0;  // mean SM clock over the pass; 0 unknown
};
struct Block {
  std::array<Pass, 3> passes;           // by Arm
  std::array<Arm, 3> order = all_arms;  // in the order they ran
  std::string discarded;                // why this block does not count ("throttled"); empty: it counts
};

// One shape, timed in one process.
struct ShapeRun {
  Dims dims;
  double bytes = 0, flops = 0;  // of one call, by the task's formulas
  double sol_ms = 0;            // speed of light: bytes and flops at the device's peaks; 0 unknown
  double floor_ms = 0;   // what no call can go below: as sol_ms, less the writes the L2 can hold; 0 unknown
  double empty_ms = 0;   // the clock's reading of an empty kernel (cuda) or call (host)
  double weight = 1;     // among the shapes of the run
  double warm_ms = 0;    // candidate, calls back to back; 0 not measured
  double launch_ms = 0;  // the least that its own process took to return from a call; 0 unknown
  std::string stop;      // precision, blocks, time
  std::vector<Block> blocks;
  // Where a gain was looked for once more with both in processes of their own (host): what a call saved there, in each turn,
  // by the supervisor's clock.
  std::vector<double> apart_saved_ms;
};

// How far a candidate's outputs were from the reference's at a shape: the largest of any element that both are finite
// for, over all cases with the inputs that are timed.
struct CheckedErrors {
  Dims dims;
  double max_abs = 0;
  double max_rel = 0;  // |o - r| / (|r| + 1e-8)
};

// A fresh process that repeated the measurement.
struct MeasurementRun {
  std::vector<ShapeRun> shapes;
};

struct MeasuredFile {
  std::string file, hash;  // base name; BLAKE2b-128 in hex
};

struct Measurement {
  std::string task, task_hash, harness, harness_hash;  // harness: version of explog
  std::string backend, gpu, arch, driver, toolkit;
  MeasuredFile baseline, candidate;
  std::string clock;  // cupti, events, steady: what the samples were read from
  std::string mode = "cold";
  double flush_bytes = 0;    // written, then as much of another region read, before each sample
  bool sync_inside = false;  // solve() waits for the device itself
  // What was timed: replay (of its device work, without its host code), in_process (the candidate's own process), host or
  // external (commands of the user's; samples are of the metric that `clock` names, in its own unit).
  // Empty in measurements from before there was a replay.
  std::string runner;
  std::string runner_reason;        // why it is no replay, in one line
  bool in_process_allowed = false;  // the user takes a gain that was timed in the candidate's own process
  std::string correctness;          // pass, or the reason of failure
  std::string correctness_detail;
  std::optional<TaskOrigin> imported_from;  // the task's
  std::vector<CheckedErrors> checked;       // each shape that the check came to
  std::vector<std::string> warnings;
  std::vector<MeasurementRun> runs;  // the first decides whether to measure again, the last is what counts
};

// One JSON document; parse_measurement(to_json(m)) gives m again. Throws JsonError naming the field.
std::string to_json(const Measurement& m);
Measurement parse_measurement(std::string_view json);

}  // namespace explog
