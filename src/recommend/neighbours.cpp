#include "recommend/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace explog::recommend {
namespace {

constexpr double bandwidth = 0.25;
constexpr double least_relevance = 0.02;
constexpr double own_knob = 4;

struct Moments {
  double n = 0, sum = 0, squares = 0;
};

// One feature's weighted groups: outcomes by rounded value.
double explained(const FeatureTable& table, const std::vector<Sample>& samples, std::size_t feature) {
  std::map<long, Sample> groups;
  Sample all;
  for (const Sample& s : samples) {
    double value = table.row(s.row)[feature];
    if (std::isnan(value)) continue;
    Sample& group = groups[std::lround(value)];
    group.n += s.n, group.success += s.success;
    all.n += s.n, all.success += s.success;
  }
  if (all.n <= 0) return 0;
  double mean = all.success / all.n, total = all.n * mean * (1 - mean), between = 0;
  if (total <= 1e-12) return 0;
  for (const auto& [value, g] : groups) {
    if (g.n > 0) between += g.n * (g.success / g.n - mean) * (g.success / g.n - mean);
  }
  double chance = (static_cast<double>(groups.size()) - 1) / std::max(all.n - 1, 1.0);
  return std::max(0.0, between / total - chance);
}

}  // namespace

FeatureTable::FeatureTable(const std::vector<Cell>& cells) {
  std::unordered_map<std::string_view, Facts> parsed;
  std::set<std::string> names;
  for (const Cell& cell : cells) {
    auto [it, is_new] = parsed.try_emplace(cell.state);
    if (!is_new) continue;
    it->second = parse_feature_key(cell.state);
    for (const auto& [name, value] : it->second) names.insert(name);
  }
  names_.assign(names.begin(), names.end());
  std::unordered_map<std::string_view, std::vector<double>> points;
  for (const auto& [key, facts] : parsed) points[key] = point(facts);
  values_.reserve(cells.size() * width());
  std::vector<Moments> moments(width());
  for (const Cell& cell : cells) {
    const std::vector<double>& p = points[cell.state];
    values_.insert(values_.end(), p.begin(), p.end());
    for (std::size_t f = 0; f < width(); ++f) {
      if (std::isnan(p[f])) continue;
      double n = static_cast<double>(cell.n());
      moments[f].n += n, moments[f].sum += n * p[f], moments[f].squares += n * p[f] * p[f];
    }
  }
  for (const Moments& m : moments) {
    double mean = m.n > 0 ? m.sum / m.n : 0;
    double variance = m.n > 0 ? m.squares / m.n - mean * mean : 0;
    spread_.push_back(variance > 1e-9 ? std::sqrt(variance) : 1);
  }
}

std::vector<double> FeatureTable::point(const Facts& features) const {
  std::vector<double> p(width(), std::numeric_limits<double>::quiet_NaN());
  for (const auto& [name, value] : features) {
    if (int i = index(name); i >= 0) p[static_cast<std::size_t>(i)] = value;
  }
  return p;
}

int FeatureTable::index(std::string_view name) const {
  auto it = std::lower_bound(names_.begin(), names_.end(), name);
  return it != names_.end() && *it == name ? static_cast<int>(it - names_.begin()) : -1;
}

std::vector<double> relevance(const FeatureTable& table, const std::vector<Sample>& samples,
                              std::string_view knob) {
  std::vector<double> weights(table.width());
  double sum = 0;
  int known = 0;
  for (std::size_t f = 0; f < table.width(); ++f) {
    bool seen = std::any_of(samples.begin(), samples.end(),
                            [&](const Sample& s) { return !std::isnan(table.row(s.row)[f]); });
    weights[f] = least_relevance + explained(table, samples, f);
    if (seen) sum += weights[f], ++known;
  }
  for (double& w : weights) w = known > 0 ? w * known / sum : 1;
  if (int own = table.index(knob); own >= 0) weights[static_cast<std::size_t>(own)] *= own_knob;
  return weights;
}

double closeness(const FeatureTable& table, std::span<const double> relevance, std::span<const double> a,
                 std::span<const double> b) {
  double distance = 0, weight = 0;
  int both = 0, either = 0;
  for (std::size_t f = 0; f < a.size(); ++f) {
    bool in_a = !std::isnan(a[f]), in_b = !std::isnan(b[f]);
    either += in_a || in_b;
    if (!in_a || !in_b) continue;
    ++both;
    distance += relevance[f] * (a[f] - b[f]) * (a[f] - b[f]) / table.spread(f);
    weight += relevance[f];
  }
  return weight > 0 ? std::exp(-distance / weight / bandwidth) * both / either : 0;
}

}  // namespace explog::recommend
