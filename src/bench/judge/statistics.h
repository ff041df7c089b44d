// Statistics of timing samples; pure functions.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace explog::bench {

double median(std::span<const double> values);  // of a copy; 0 for none

struct Interval {
  double lo = 0, hi = 0;
  double half_width() const { return (hi - lo) / 2; }
  bool contains(double v) const { return lo <= v && v <= hi; }
};

// Ranks (1-based) j and n+1-j of the order statistics that enclose the median with at least `level`: the
// largest j with sum_{i=j}^{n-j} C(n,i)/2^n >= level. Nothing when n is too small. Source: Hoefler & Belli,
// SC15.
std::optional<std::size_t> median_rank(std::size_t n, double level);

// Lag-1 autocorrelation with 1/n added against small-sample bias: the larger of the values' and their ranks',
// because one outlier hides the first. 0 for fewer than 3 values or equal ones.
double autocorrelation(std::span<const double> values);

// Distribution-free interval of the median of `values` in the order they were taken; widened for
// autocorrelation r > 0 as if only n (1-r)/(1+r) values were independent. Nothing when there are too few
// values.
std::optional<Interval> median_interval(std::span<const double> values, double level);

// Theil-Sen slope: median of the slopes between all pairs, per step. Time and memory grow with n^2.
double theil_sen(std::span<const double> values);

// How many values have a modified z-score |0.6745 (x - median) / MAD| above 10. None when the MAD is 0: a
// coarse clock reads half of the samples the same, and its next tick is no outlier.
std::size_t outliers(std::span<const double> values);

}  // namespace explog::bench
