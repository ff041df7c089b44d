#include "bench/judge/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace explog::bench {
namespace {

constexpr std::size_t exact_limit = 1000;  // beyond it the normal approximation is off by one rank at most
constexpr double strongest = 0.95;         // autocorrelation taken at most: one value in 39 still counts

// The z with P(|Z| <= z) = level.
double normal_quantile(double level) {
  double lo = 0, hi = 40;
  for (int i = 0; i < 60; ++i) {
    double z = (lo + hi) / 2;
    (std::erf(z / std::sqrt(2.0)) < level ? lo : hi) = z;
  }
  return hi;
}

// Rank of the lower end when the values vary as `spread` times as many standard deviations; below 1: none.
double normal_rank(std::size_t n, double level, double spread) {
  auto count = static_cast<double>(n);
  return std::floor((count - normal_quantile(level) * std::sqrt(count) * spread) / 2);
}

std::optional<std::size_t> exact_rank(std::size_t n, double level) {
  long double term =
      std::pow(0.5L, static_cast<long double>(n));  // C(n,j)/2^n; 2^-1000 is far from underflow
  long double below = 0;
  std::size_t j = 0;
  while (2 * (j + 1) <= n && 2 * (below + term) <= 1 - static_cast<long double>(level)) {
    below += term;
    term *= static_cast<long double>(n - j) / static_cast<long double>(j + 1);
    ++j;
  }
  return j > 0 ? std::optional(j) : std::nullopt;
}

double lag1(std::span<const double> values) {
  auto n = static_cast<double>(values.size());
  double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double d = values[i] - mean;
    squares += d * d;
    if (i > 0) products += d * (values[i - 1] - mean);
  }
  return squares > 0 ? products / squares + 1 / n : 0;
}

// Equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end()), ranks;
  std::sort(sorted.begin(), sorted.end());
  for (double v : values) {
    auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
    ranks.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2);
  }
  return ranks;
}

}  // namespace

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> copy(values.begin(), values.end());
  auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  if (copy.size() % 2 == 1) return *middle;
  return (*std::max_element(copy.begin(), middle) + *middle) / 2;
}

std::optional<std::size_t> median_rank(std::size_t n, double level) {
  if (n <= exact_limit) return exact_rank(n, level);
  double j = normal_rank(n, level, 1);
  return j >= 1 ? std::optional(static_cast<std::size_t>(j)) : std::nullopt;
}

double autocorrelation(std::span<const double> values) {
  const bool equal = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  if (values.size() < 3 || equal) return 0;  // of equal ones a mean that is rounded would say 1
  return std::max(lag1(values), lag1(ranks(values)));
}

std::optional<Interval> median_interval(std::span<const double> values, double level) {
  auto j = median_rank(values.size(), level);
  if (!j) return std::nullopt;
  double r = std::min(autocorrelation(values), strongest);
  if (r > 0) {
    double wide = normal_rank(values.size(), level, std::sqrt((1 + r) / (1 - r)));
    if (wide < 1) return std::nullopt;
    j = std::min(*j, static_cast<std::size_t>(wide));
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[*j - 1], sorted[sorted.size() - *j]};
}

double theil_sen(std::span<const double> values) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t k = i + 1; k < values.size(); ++k)
      slopes.push_back((values[k] - values[i]) / static_cast<double>(k - i));
  return median(slopes);
}

std::size_t outliers(std::span<const double> values) {
  double middle = median(values);
  std::vector<double> distances;
  for (double v : values) distances.push_back(std::abs(v - middle));
  double mad = median(distances);
  auto far = [&](double distance) { return mad > 0 && 0.6745 * distance / mad > 10; };
  return static_cast<std::size_t>(std::count_if(distances.begin(), distances.end(), far));
}

}  // namespace explog::bench
