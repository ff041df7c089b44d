#include "recommend/similarity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "model/arch.h"

namespace explog::recommend {
namespace {

constexpr double table_strength = 100, enough_shared = 200;  // records
constexpr double source_strength = 30;
constexpr double least_trust = 0.02;

double level_weight(const std::string& level) {
  if (level == "claimed") return 0.7;
  return level == "imported" ? 0.85 : 1.0;
}

// A change at a value of its knob: success depends on both more than on anything else.
using Change = std::pair<std::string, double>;

Change change_of(const Cell& cell) {
  std::string_view knob = knob_of(cell.strategy);
  double value = -99;
  if (knob.empty()) return {cell.strategy, value};
  if (auto known = fact(parse_feature_key(cell.state), knob)) value = *known;
  return {cell.strategy, value};
}

struct Rate {
  double n = 0, success = 0;
  void add(const Cell& cell) {
    n += static_cast<double>(cell.n());
    success += static_cast<double>(cell.success);
  }
  double value() const { return success / n; }
  double variance() const { return value() * (1 - value()) / std::max(n - 1, 1.0); }
};
using Rates = std::map<Change, Rate>;

// 1 when two archs have the same success rates, 0 when they differ as unrelated ones would; the sampling
// noise of both rates is taken out. `shared` becomes the number of records it rests on.
double agreement(const Rates& a, const Rates& b, double& shared) {
  double mean_a = 0, mean_b = 0, apart = 0, unrelated = 0;
  shared = 0;
  for (bool second : {false, true}) {
    for (const auto& [change, x] : a) {
      auto found = b.find(change);
      if (found == b.end()) continue;
      const Rate& y = found->second;
      double w = std::min(x.n, y.n);
      if (!second) {
        shared += w, mean_a += w * x.value(), mean_b += w * y.value();
        continue;
      }
      double noise = x.variance() + y.variance();
      double from_a = x.value() - mean_a / shared, from_b = y.value() - mean_b / shared;
      apart += w * ((x.value() - y.value()) * (x.value() - y.value()) - noise);
      unrelated += w * (from_a * from_a + from_b * from_b - noise);
    }
  }
  if (shared <= 0) return 0;
  return std::clamp(1 - apart / std::max(unrelated, 1e-3 * shared), least_trust, 1.0);
}

}  // namespace

double situation_of(const Context& context, const Cell& cell) {
  bool known = context.bottleneck != "unknown" && !context.bottleneck.empty();
  double weight = 1;
  if (known && cell.bottleneck != context.bottleneck) weight = cell.bottleneck == "unknown" ? 0.5 : 0.35;
  int size = size_bucket(context.shape);
  if (size >= 0) weight *= cell.size < 0 ? 0.5 : std::exp(-std::abs(size - cell.size) / 1.5);
  return weight;
}

Similarity::Similarity(const std::vector<Cell>& cells, std::string arch, std::string backend)
    : arch_(std::move(arch)), backend_(std::move(backend)) {
  for (const Cell& cell : cells) newest_ = std::max(newest_, cell.quarter);
  learn_archs(cells);
  learn_sources(cells);
}

void Similarity::learn_archs(const std::vector<Cell>& cells) {
  std::map<std::string, Rates> rates;
  for (const Cell& cell : cells) rates[cell.arch][change_of(cell)].add(cell);
  for (const auto& [other, theirs] : rates) {
    double weight = arch_weight(arch_, other), shared = 0;
    if (other != arch_ && rates.contains(arch_)) {
      double learned = agreement(rates[arch_], theirs, shared);
      if (shared >= enough_shared)
        weight = (shared * learned + table_strength * weight) / (shared + table_strength);
    }
    archs_[other] = weight * weight;
  }
}

void Similarity::learn_sources(const std::vector<Cell>& cells) {
  struct Sum {
    double n = 0, success = 0, foreseen = 0;
  };
  using Place = std::pair<Change, std::string>;  // a change on an arch
  std::map<Change, std::map<std::string, Rate>> all;
  std::map<std::pair<std::int64_t, std::string>, std::map<Place, Rate>> by_source;
  Rate total;
  for (const Cell& cell : cells) {
    if (cell.mirrored) continue;
    Change change = change_of(cell);
    all[change][cell.arch].add(cell), total.add(cell);
    by_source[{cell.origin, cell.source}][{change, cell.arch}].add(cell);
  }
  double base = (total.success + 1) / (total.n + 3);
  std::vector<Sum> sums;
  for (const auto& [key, rates] : by_source) {
    Sum& sum = sums.emplace_back();
    double error = 0, blind = 0;
    for (const auto& [place, own] : rates) {
      Rate others;  // what everybody else saw of this change, near archs first
      for (const auto& [arch, rate] : all[place.first]) {
        auto mine = rates.find({place.first, arch});
        double w = std::pow(arch_weight(place.second, arch), 2);
        others.n += w * (rate.n - (mine != rates.end() ? mine->second.n : 0));
        others.success += w * (rate.success - (mine != rates.end() ? mine->second.success : 0));
      }
      double p = (others.success + 4 * base) / (others.n + 4), k = own.success, n = own.n;
      sum.n += n, sum.success += k, sum.foreseen += n * p;
      error += k * (1 - p) * (1 - p) + (n - k) * p * p;
      blind += k * (1 - base) * (1 - base) + (n - k) * base * base;
    }
    source_index_[key] = sources_.size();
    std::string name = key.second.empty() ? "origin " + std::to_string(key.first) : key.second;
    sources_.push_back({std::move(name), sum.n, blind > 0 ? 1 - error / blind : 0, 1, 1});
  }
  if (sources_.size() < 3) return;  // nobody to compare with
  std::vector<double> skills;
  for (const Source& s : sources_) skills.push_back(s.skill);
  std::nth_element(skills.begin(), skills.begin() + skills.size() / 2, skills.end());
  double median = std::max(0.0, skills[skills.size() / 2]);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    Source& s = sources_[i];
    double skill = (s.records * s.skill + source_strength * median) / (s.records + source_strength);
    s.trust = std::clamp((skill + 0.02) / (median + 0.02), least_trust, 1.0);
    double odds = (sums[i].success + 1) / (sums[i].n - sums[i].success + 1);
    s.odds_ratio = odds / ((sums[i].foreseen + 1) / (sums[i].n - sums[i].foreseen + 1));
  }
}

double Similarity::arch(const std::string& other) const {
  auto known = archs_.find(other);
  if (known != archs_.end()) return known->second;
  double weight = arch_weight(arch_, other);
  return weight * weight;
}

double Similarity::weight(const Cell& cell) const {
  double weight = arch(cell.arch) * level_weight(cell.level) * (cell.backend == backend_ ? 1.0 : 0.5);
  weight *= std::exp2(-static_cast<double>(newest_ - cell.quarter) / 4);  // half of it for each year
  auto source = source_index_.find({cell.origin, cell.source});
  return source == source_index_.end() ? weight : weight * sources_[source->second].trust;
}

}  // namespace explog::recommend
