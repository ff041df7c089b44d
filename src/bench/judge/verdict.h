// Samples -> verdict, by the rules of kernels/README.md; pure, so that a recorded measurement gives its
// verdict again.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/judge/effect.h"
#include "bench/judge/verify.h"
#include "model/measurement.h"

namespace explog::bench {

constexpr double precision = 0.005;  // half-width of the log-ratio's interval at which measuring stops
constexpr std::array<std::size_t, 6> looks = {20, 30,  45,
                                              68, 102, 153};  // counting blocks at which that is asked
constexpr std::size_t early_look = 10;                        // the same, of effects that no noise looks like

// How narrow is narrow enough: effects on the log-ratio, either way.
struct Narrow {
  double early_effect;  // the least that `early_look` is for
  double
      part_of_effect;  // the half-width may be this part of an effect, where that is more than what is wanted
};
constexpr Narrow to_report{0.2, 0.02};  // 1.22x; from 1.28x on less than `precision` is asked for
// Of a first process, whose gain a second one must show again and tell: 1.1x.
constexpr Narrow to_decide{0.0953, 0.1};

// The baseline was slow for another reason than the candidate while both were timed.
constexpr std::string_view machine_busy = "machine_busy";
// Found right, but its gain could not be confirmed: unconfirmed, machine_busy.
bool right_but_open(std::string_view correctness);
// Whether its outputs were right, whatever is thought of its times.
bool found_right(const Measurement& m);

enum class Decision { keep, revert, crash, inconclusive };
enum class ShapeStatus { faster, slower, same, undecided, unstable, too_fast };
std::string_view word(Decision decision);
std::string_view word(ShapeStatus status);

struct ShapeVerdict {
  Dims dims;
  double weight = 1;                         // among the shapes of the task
  double baseline_ms = 0, candidate_ms = 0;  // medians over the blocks that count
  double speedup = 1, lo = 0, hi = 0;  // baseline / candidate, with its 99% interval (0, 0: too few blocks)
  double noise_floor = 0;              // relative; how far two equal kernels may seem apart (99%)
  double sol = 0;                      // sol_ms / candidate_ms; 0 unknown
  double launch_ms = 0;                // until solve() returns; 0 unknown
  std::optional<double> score;         // SOL-ExecBench's, of a task that is from there
  std::size_t blocks = 0, discarded = 0;  // all of them, and those of them that do not count
  ShapeStatus status = ShapeStatus::undecided;
  std::vector<std::string> notes;  // "drift: ...", autocorrelated, outliers, clock, short kernel, > 10x
};

// Reasons: of keep faster (>= 5%), slightly_faster (2 to 5%); of revert regression, slower, no_change,
// below_threshold, too_fast or the reason of the failed check; of crash the reason; of inconclusive
// unconfirmed, machine_busy, in_process (not allowed to keep such a gain), not_measured, missing_shape, unstable, too_few_blocks, undecided, noise, clock.
struct Verdict {
  Decision verdict = Decision::inconclusive;
  std::string reason;
  std::string detail;  // one sentence for a person
  // 1 - candidate/baseline over all shapes (geometric mean, weighted), with its 99% interval.
  double gain = 0, gain_lo = 0, gain_hi = 0;
  double noise_floor = 0;  // mean of the shapes', weighted
  std::vector<ShapeVerdict> shapes;
};

// Whether measuring may stop, asked after each block: the interval's half-width is within `wanted`, or within a part
// of the effect where that is more. True at `looks` only, because each further look at the data is another chance to be
// wrong, and at `early_look` where the effect is so large that this is none.
bool precise_enough(const ShapeRun& run, const Narrow& narrow = to_report, double wanted = precision);
// Whether another block may follow `blocks`; those that do not count are among them, or a throttling device
// never ends.
bool may_continue(std::size_t blocks);
// Whether the `most` seconds of a shape are over. Without an interval there is no verdict, and all of them were in
// vain: a machine that wanders or is busy gets ten times as long, and `least` blocks however long they take.
bool out_of_time(const ShapeRun& run, double spent, double most, std::size_t least = 0);

// A run that ended early, for whatever reason, says nothing of the shapes that it did not come to.
std::optional<Fault> lacks_shape(const MeasurementRun& run, const std::vector<Dims>& timed);

ShapeVerdict judge_shape(const ShapeRun& run);
Verdict judge(const Measurement& m);

}  // namespace explog::bench
