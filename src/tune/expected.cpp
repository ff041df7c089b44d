#include "tune/expected.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "model/evidence.h"

namespace explog::tune {
namespace {

constexpr double single_ridge = 0.3, pair_ridge = 1.5;
constexpr int most_rounds = 60;  // of conjugate gradients; a better fit orders no better
constexpr int unknown_level = -99;

// A whole step of log2 for each knob.
using Levels = std::vector<int>;
using Sparse = std::vector<std::pair<std::size_t, double>>;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Numbers for the terms, given when they are first met.
class Terms {
 public:
  void add(Sparse& sum, const Levels& levels, double sign) {
    for (int i = 0; i < static_cast<int>(levels.size()); ++i) {
      sum.emplace_back(number({i, levels[i], -1, 0}, single_ridge), sign);
      for (int j = 0; j < i; ++j) sum.emplace_back(number({i, levels[i], j, levels[j]}, pair_ridge), sign);
    }
  }
  const std::vector<double>& ridge() const { return ridge_; }

 private:
  std::size_t number(const std::array<int, 4>& term, double ridge) {
    auto [it, added] = numbers_.try_emplace(term, ridge_.size());
    if (added) ridge_.push_back(ridge);
    return it->second;
  }
  std::map<std::array<int, 4>, std::size_t> numbers_;
  std::vector<double> ridge_;
};

// Terms that both sides have cancel.
Sparse without_zeros(Sparse sum) {
  std::sort(sum.begin(), sum.end());
  Sparse kept;
  for (const auto& [term, value] : sum) {
    if (!kept.empty() && kept.back().first == term)
      kept.back().second += value;
    else
      kept.emplace_back(term, value);
  }
  std::erase_if(kept, [](const auto& t) { return t.second == 0; });
  return kept;
}

struct Sample {
  Sparse terms;
  double log2_time = 0, weight = 0;
};

double value_of(const Sparse& terms, const std::vector<double>& x) {
  double sum = 0;
  for (const auto& [term, value] : terms) sum += value * x[term];
  return sum;
}

// (ridge + sum of weight terms terms') x
std::vector<double> times(const std::vector<Sample>& samples, const std::vector<double>& ridge,
                          const std::vector<double>& x) {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = ridge[i] * x[i];
  for (const Sample& s : samples) {
    double part = s.weight * value_of(s.terms, x);
    for (const auto& [term, value] : s.terms) result[term] += value * part;
  }
  return result;
}

// Conjugate gradients (Hestenes and Stiefel 1952) from 0.
std::vector<double> fitted(const std::vector<Sample>& samples, const std::vector<double>& ridge) {
  std::vector<double> x(ridge.size()), rest(ridge.size());
  for (const Sample& s : samples) {
    for (const auto& [term, value] : s.terms) rest[term] += s.weight * value * s.log2_time;
  }
  std::vector<double> along = rest;
  double left = dot(rest, rest);
  for (int round = 0; round < most_rounds && left > 1e-9; ++round) {
    std::vector<double> image = times(samples, ridge, along);
    double step = left / dot(along, image), before = left;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step * along[i], rest[i] -= step * image[i];
    left = dot(rest, rest);
    for (std::size_t i = 0; i < x.size(); ++i) along[i] = rest[i] + left / before * along[i];
  }
  return x;
}

int level_of(const Scalar& value) {
  auto number = as_number(value);
  if (!number) return unknown_level;
  Facts feature = features({{"x", *number}}, {});
  return static_cast<int>(std::lround(feature.front().second));
}

class Knobs {
 public:
  explicit Knobs(Space space) {
    space.settle();
    for (const Parameter& p : space.parameters) {
      names_.push_back(p.shared);
      std::vector<int>& own = levels_.emplace_back();
      for (const Scalar& value : p.values) own.push_back(level_of(value));
    }
  }
  Levels of(const Configuration& row) const {
    Levels levels(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) levels[i] = levels_[i][row[i]];
    return levels;
  }
  // Nothing for a knob that the space does not have. A step counts as far as it says where it was made.
  std::optional<Sample> sample(const KnobStep& step, Terms& terms) const {
    auto knob = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), step.knob) - names_.begin());
    if (knob == names_.size()) return std::nullopt;
    Levels before(names_.size(), unknown_level);
    double known = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      auto value = fact(step.state, names_[i]);
      if (value) before[i] = static_cast<int>(std::lround(*value)), ++known;
    }
    Levels after = before;
    after[knob] = next_level(knob, before[knob], step);
    Sample sample;
    terms.add(sample.terms, after, 1);
    terms.add(sample.terms, before, -1);
    sample.terms = without_zeros(std::move(sample.terms));
    sample.log2_time = -step.gain;
    sample.weight = step.weight * known / static_cast<double>(names_.size());
    return sample;
  }

 private:
  // The next one that the space has, else one step.
  int next_level(std::size_t knob, int from, const KnobStep& step) const {
    if (step.direction == 0) return static_cast<int>(std::lround(step.to));
    int next = from + step.direction, nearest = unknown_level;
    for (int level : levels_[knob]) {
      bool beyond = step.direction > 0 ? level > from : level < from && level != unknown_level;
      if (beyond && (nearest == unknown_level || std::abs(level - from) < std::abs(nearest - from)))
        nearest = level;
    }
    return nearest == unknown_level ? next : nearest;
  }

  std::vector<std::string> names_;
  std::vector<std::vector<int>> levels_;  // of each value
};

}  // namespace

std::vector<double> expected_times(const Space& space, std::span<const Configuration> rows,
                                   std::span<const KnobStep> steps) {
  Knobs knobs(space);
  Terms terms;
  std::vector<Sample> samples;
  for (const KnobStep& step : steps) {
    if (auto sample = knobs.sample(step, terms)) samples.push_back(std::move(*sample));
  }
  std::vector<double> expected(rows.size());
  if (samples.empty()) return expected;
  std::vector<Sparse> of_rows(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) terms.add(of_rows[row], knobs.of(rows[row]), 1);
  std::vector<double> x = fitted(samples, terms.ridge());
  for (std::size_t row = 0; row < rows.size(); ++row)
    expected[row] = value_of(of_rows[row], x) - value_of(of_rows[0], x);
  return expected;
}

}  // namespace explog::tune
