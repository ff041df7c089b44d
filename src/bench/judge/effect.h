// Samples of one shape -> how much faster the candidate is, with its interval; pure.
#pragma once
#include <optional>
#include <vector>

#include "bench/judge/statistics.h"
#include "model/measurement.h"

namespace explog::bench {

constexpr double level = 0.99;  // of every interval

// ln of a candidate's time over the baseline's, with its interval: below 0 is faster.
struct Effect {
  double middle = 0;
  Interval interval;
  double weight = 1;  // of its shape, where several are put together
};

// A block that was discarded, or with a sample that is no time, does not count.
bool counts(const Block& block);
// Whether the SM clock of every pass that counts was read.
bool clock_known(const ShapeRun& run);

// Of each block that counts, in the order they ran, by medians:
// the paired effect, ln(candidate) - mean of ln(baseline), ln(baseline_again);
std::vector<double> log_ratios(const ShapeRun& run);
// the same between the two passes of the baseline;
std::vector<double> noise_ratios(const ShapeRun& run);
// ln of the times themselves;
std::vector<double> log_candidate(const ShapeRun& run);
std::vector<double> log_baseline(const ShapeRun& run);
// ln of the candidate's SM clock over the baseline's, where clock_known().
std::vector<double> log_clock_ratios(const ShapeRun& run);

// Nothing when there are too few blocks for an interval.
std::optional<Effect> effect_in_time(const ShapeRun& run);
// What of it was confirmed with both in processes of their own: no more than was seen there, and the interval reaches down to
// that. All of it where nobody looked.
Effect confirmed(const ShapeRun& run, Effect beside);
std::optional<Effect> confirmed_in_time(const ShapeRun& run);

// In clock cycles (time x frequency), which a clock that differs between the two kernels cannot change. In
// time where the clock is unknown. Where a drifting clock leaves no interval: the effect in time, less the
// largest difference between the clocks that any block saw.
std::optional<Effect> effect_in_cycles(const ShapeRun& run);

// Weighted mean over the shapes of ln ratios: the geometric mean of their ratios. Each side's widths add as root of
// the sum of squares, as errors of independent processes do: block sums cannot be paired across shapes of
// unequal block counts. One shape keeps its interval.
Effect combined(const std::vector<Effect>& effects);

// How far two equal kernels may seem apart, relative: the farthest end of the interval of the A/A median, so
// that it holds both a scatter around 0 and a steady shift. Without an interval: the largest value seen.
double noise_of(const ShapeRun& run);

}  // namespace explog::bench
