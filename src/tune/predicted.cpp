#include "tune/predicted.h"

#include <algorithm>
#include <cmath>

namespace explog::tune {
namespace {

constexpr double believed = 0.7,
                 belief_spread = 0.5;  // share of the expectation that holds, and its deviation
constexpr double reach = 3;  // doublings, over all knobs, that leave 1/e of what two rows have in common
constexpr double farthest =
    2;  // doublings of one knob: beyond, two values have nothing to do with each other
constexpr double noise = 0.02;  // of a measurement, as a share of the variance
constexpr double least_variance = 0.05;
constexpr std::size_t fewest_at_once = 4, most_learned_from = 256;

using RowList = std::vector<std::size_t>;

class Process {
 public:
  Process(const Space& space, std::span<const Configuration> rows, std::span<const Outcome> outcomes,
          const Plan& plan, RowList known)
      : rows_(rows), known_(std::move(known)), expected_(rows.size()) {
    for (const Parameter& p : space.parameters) {
      std::vector<double>& own = places_.emplace_back();
      for (const Scalar& value : p.values) own.push_back(place_of(value, own.size()));
    }
    for (std::size_t row = 0; row < plan.expected.size(); ++row)
      expected_[row] = believed * plan.expected[row];
    set_rest(outcomes);
    factorise();
  }

  // What a row may well take: log2 of its time, one standard deviation below the mean.
  double optimistic(std::size_t row) const {
    std::vector<double> common(known_.size());
    double mean = 0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      common[i] = covariance(row, known_[i]);
      mean += common[i] * weights_[i];
    }
    solve_lower(common);
    double left = covariance(row, row);
    for (double c : common) left -= c * c;
    return expected_[row] + level_ + mean - std::sqrt(std::max(left, 0.0) * variance_);
  }

 private:
  // Where a value lies on the axis of its knob, in doublings; text far from all other text.
  static double place_of(const Scalar& value, std::size_t number) {
    auto x = as_number(value);
    if (!x) return farthest * static_cast<double>(number);
    return *x > 0 ? std::log2(*x) : *x == 0 ? -1 : -2;
  }

  // Times less what was expected of them. What failed is as bad as the slowest.
  void set_rest(std::span<const Outcome> outcomes) {
    double slowest = 0, sum = 0;
    std::size_t n = 0;
    for (std::size_t row : known_) {
      double time = time_of(outcomes[row]);
      if (std::isinf(time)) continue;
      slowest = n == 0 ? std::log2(time) : std::max(slowest, std::log2(time));
      sum += std::log2(time) - expected_[row];
      ++n;
    }
    level_ = n > 0 ? sum / static_cast<double>(n) : 0;
    variance_ = least_variance;
    for (std::size_t row : known_) {
      double time = time_of(outcomes[row]);
      rest_.push_back((std::isinf(time) ? slowest : std::log2(time)) - expected_[row] - level_);
      variance_ += rest_.back() * rest_.back() / static_cast<double>(known_.size());
    }
  }

  double covariance(std::size_t a, std::size_t b) const {
    double apart = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      apart += std::min(farthest, std::abs(places_[i][rows_[a][i]] - places_[i][rows_[b][i]]));
    double belief = belief_spread * belief_spread * expected_[a] * expected_[b] / variance_;
    return std::exp(-apart / reach) + belief;
  }

  // Cholesky's lower factor, row by row, and the weights that follow from it.
  void factorise() {
    std::size_t n = known_.size();
    factor_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double x = covariance(known_[i], known_[j]) + (i == j ? noise : 0);
        for (std::size_t k = 0; k < j; ++k) x -= factor_[i * n + k] * factor_[j * n + k];
        factor_[i * n + j] = i == j ? std::sqrt(std::max(x, 1e-9)) : x / factor_[j * n + j];
      }
    }
    weights_ = rest_;
    solve_lower(weights_);
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) weights_[i] -= factor_[k * n + i] * weights_[k];
      weights_[i] /= factor_[i * n + i];
    }
  }

  void solve_lower(std::vector<double>& x) const {
    std::size_t n = known_.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= factor_[i * n + k] * x[k];
      x[i] /= factor_[i * n + i];
    }
  }

  std::span<const Configuration> rows_;
  RowList known_;
  std::vector<std::vector<double>> places_;  // of each value of each knob
  std::vector<double> expected_, rest_, factor_, weights_;
  double level_ = 0, variance_ = 1;
};

// The fastest where there are too many to learn from.
RowList learned_from(RowList known, std::span<const Outcome> outcomes) {
  if (known.size() <= most_learned_from) return known;
  std::stable_sort(known.begin(), known.end(),
                   [&](std::size_t a, std::size_t b) { return time_of(outcomes[a]) < time_of(outcomes[b]); });
  known.resize(most_learned_from);
  return known;
}

}  // namespace

RowList next_of_predicted(const Space& space, std::span<const Configuration> rows, const RowList& list,
                          std::span<const Outcome> outcomes, const Plan& plan) {
  if (!outcomes[0].known()) return {0};
  RowList known, unknown;
  for (std::size_t row : list) (outcomes[row].known() ? known : unknown).push_back(row);
  std::size_t at_once = std::max(fewest_at_once, known.size() / 5);
  if (plan.most > 0) at_once = std::min(at_once, plan.most - std::min(plan.most, known.size()));
  if (at_once == 0 || unknown.empty()) return {};
  RowList candidates;
  for (std::size_t row : plan.first) {
    if (std::find(unknown.begin(), unknown.end(), row) != unknown.end()) candidates.push_back(row);
  }
  if (!candidates.empty()) return candidates.resize(std::min(candidates.size(), at_once)), candidates;
  Process process(space, rows, outcomes, plan, learned_from(std::move(known), outcomes));
  std::vector<std::pair<double, std::size_t>> scored;
  for (std::size_t row : unknown) scored.emplace_back(process.optimistic(row), row);
  std::sort(scored.begin(), scored.end());
  scored.resize(std::min(at_once, scored.size()));
  RowList next;
  for (const auto& [score, row] : scored) next.push_back(row);
  return next;
}

}  // namespace explog::tune
