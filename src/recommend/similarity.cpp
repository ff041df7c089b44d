#include "recommend/similarity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "model/arch.h"
#include "model/vocabulary.h"
#include "recommend/interner.h"

namespace explog::recommend {
namespace {

constexpr double table_strength = 100, enough_shared = 200;  // records
constexpr double source_strength = 30;
constexpr double least_trust = 0.02;
constexpr double other_backend = 0.35;
constexpr double arch_sharpness = 3;  // power of the agreement of two archs that is their weight

constexpr int trust_rounds = 4;  // sources are judged by sources, so what they are worth is found in rounds

double level_weight(const std::string& level) {
  if (level == Level::claimed) return 0.7;
  return level == Level::imported ? 0.85 : 1.0;
}

// Value of a knob in a cell's state; -99 where it is not known.
double value_of(std::string_view knob, std::string_view state) {
  if (knob.empty()) return -99;
  for (std::size_t at = state.find(knob); at != std::string_view::npos; at = state.find(knob, at + 1)) {
    std::size_t end = at + knob.size();
    bool whole = (at == 0 || state[at - 1] == ';') && end < state.size() && state[end] == '=';
    if (!whole) continue;
    std::string_view value = state.substr(end + 1, state.find(';', end) - end - 1);
    if (auto number = feature_value(value)) return *number;
  }
  return -99;
}

// Changes (a strategy at a value of its knob: success depends on both more than on anything else) and archs
// of cells, numbered in the order they are met in. A place is a change on an arch.
class Places {
 public:
  explicit Places(const std::vector<Cell>& cells) {
    Interner<std::string_view> strategies;
    std::vector<std::vector<std::pair<double, std::size_t>>> values;  // by strategy: a knob has few
    Interner<std::string_view> archs;
    std::string_view knob;
    change_.reserve(cells.size()), arch_.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = cells[i];
      bool same = i > 0 && cell.strategy == cells[i - 1].strategy;
      if (!same) knob = knob_of(cell.strategy);
      if (!same || cell.state != cells[i - 1].state) {
        std::size_t strategy = strategies(cell.strategy);
        values.resize(strategies.size());
        change_.push_back(change_of(values[strategy], value_of(knob, cell.state)));
      } else {
        change_.push_back(change_.back());
      }
      bool same_arch = i > 0 && cell.arch == cells[i - 1].arch;
      arch_.push_back(same_arch ? arch_.back() : archs(cell.arch));
      if (archs.size() > archs_.size()) archs_.push_back(cell.arch);
    }
    for (const std::string& a : archs_) {
      for (const std::string& b : archs_) squared_weights_.push_back(std::pow(arch_weight(a, b), 2));
    }
  }
  const std::vector<std::string>& archs() const { return archs_; }
  std::size_t count() const { return changes_ * archs_.size(); }
  std::size_t change(std::size_t cell) const { return change_[cell]; }
  std::size_t arch(std::size_t cell) const { return arch_[cell]; }
  std::size_t place(std::size_t cell) const { return change_[cell] * archs_.size() + arch_[cell]; }
  double squared_weight(std::size_t a, std::size_t b) const {
    return squared_weights_[a * archs_.size() + b];
  }

 private:
  std::size_t change_of(std::vector<std::pair<double, std::size_t>>& values, double value) {
    auto has_it = [&](const auto& v) { return v.first == value; };
    auto found = std::find_if(values.begin(), values.end(), has_it);
    if (found == values.end()) found = values.insert(found, {value, changes_++});
    return found->second;
  }

  std::vector<std::string> archs_;
  std::vector<std::size_t> change_, arch_;
  std::vector<double> squared_weights_;
  std::size_t changes_ = 0;
};

struct Rate {
  double n = 0, success = 0;
  void add(const Cell& cell) {
    n += static_cast<double>(cell.n());
    success += static_cast<double>(cell.success);
  }
  static Rate of(const Cell& cell) {
    return {static_cast<double>(cell.n()), static_cast<double>(cell.success)};
  }
  void add(const Rate& rate, double weight) { n += weight * rate.n, success += weight * rate.success; }
  double value() const { return success / n; }
  double variance() const { return value() * (1 - value()) / std::max(n - 1, 1.0); }
};
using Rates = std::map<std::size_t, Rate>;  // by change

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
      if (w <= 0) continue;  // said by sources that are not believed at all
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

// Weights of the archs for questions about `arch`, by name. `trust`: of each cell's source.
std::map<std::string, double> learned_weights(const std::string& arch, const std::vector<Cell>& cells,
                                              const Places& places, const std::vector<double>& trust) {
  const std::vector<std::string>& archs = places.archs();
  std::vector<Rates> rates(archs.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    rates[places.arch(i)][places.change(i)].add(Rate::of(cells[i]), trust[i]);
  auto own = static_cast<std::size_t>(std::find(archs.begin(), archs.end(), arch) - archs.begin());
  std::map<std::string, double> weights;
  for (std::size_t other = 0; other < archs.size(); ++other) {
    double weight = arch_weight(arch, archs[other]), shared = 0;
    if (other != own && own < archs.size()) {
      double learned = agreement(rates[own], rates[other], shared);
      if (shared >= enough_shared)
        weight = (shared * learned + table_strength * weight) / (shared + table_strength);
    }
    weights[archs[other]] = std::pow(weight, arch_sharpness);
  }
  return weights;
}

// What one source says: rates by place, in the order of the places.
struct Testimony {
  std::vector<std::size_t> places;
  std::vector<Rate> rates;
};

Testimony testimony_of(const std::vector<std::size_t>& own, const std::vector<Cell>& cells,
                       const Places& places) {
  std::map<std::size_t, Rate> rates;
  for (std::size_t i : own) rates[places.place(i)].add(cells[i]);
  Testimony list;
  for (const auto& [place, rate] : rates) list.places.push_back(place), list.rates.push_back(rate);
  return list;
}

// A source's skill and odds under what everybody else saw of the same changes, near archs first. `believed`
// is what all say together, each as far as it is trusted.
void set_skill(Similarity::Source& source, const Testimony& own, const std::vector<Rate>& believed,
               const Places& places, double base) {
  std::size_t archs = places.archs().size();
  std::vector<Rate> rest = believed;
  for (std::size_t i = 0; i < own.places.size(); ++i) rest[own.places[i]].add(own.rates[i], -source.trust);
  double success = 0, foreseen = 0, error = 0, blind = 0;
  source.records = 0;
  for (std::size_t i = 0; i < own.places.size(); ++i) {
    std::size_t arch = own.places[i] % archs, change = own.places[i] - arch;
    Rate others;
    for (std::size_t a = 0; a < archs; ++a) others.add(rest[change + a], places.squared_weight(arch, a));
    double p = (others.success + 4 * base) / (others.n + 4), k = own.rates[i].success, n = own.rates[i].n;
    source.records += n, success += k, foreseen += n * p;
    error += k * (1 - p) * (1 - p) + (n - k) * p * p;
    blind += k * (1 - base) * (1 - base) + (n - k) * base * base;
  }
  source.skill = blind > 0 ? 1 - error / blind : 0;
  double odds = (success + 1) / (source.records - success + 1);
  source.odds_ratio = odds / ((foreseen + 1) / (source.records - foreseen + 1));
}

void set_trust(std::vector<Similarity::Source>& sources) {
  std::vector<double> skills;
  for (const Similarity::Source& s : sources) skills.push_back(s.skill);
  std::nth_element(skills.begin(), skills.begin() + skills.size() / 2, skills.end());
  double median = std::max(0.0, skills[skills.size() / 2]);
  for (Similarity::Source& s : sources) {
    if (s.decided) continue;
    double skill = (s.records * s.skill + source_strength * median) / (s.records + source_strength);
    s.trust = std::clamp((skill + 0.02) / (median / 2 + 0.02), least_trust, 1.0);
  }
}

// Sources are judged by sources: what each is worth is found in rounds. Fewer than three have nobody to be
// compared with.
void set_skills_and_trust(std::vector<Similarity::Source>& sources, const std::vector<Testimony>& said,
                          const Places& places, double base) {
  bool comparable = sources.size() >= 3;
  for (int round = 0; round < (comparable ? trust_rounds : 1); ++round) {
    std::vector<Rate> believed(places.count());
    for (std::size_t s = 0; s < said.size(); ++s) {
      for (std::size_t i = 0; i < said[s].places.size(); ++i)
        believed[said[s].places[i]].add(said[s].rates[i], sources[s].trust);
    }
    for (std::size_t s = 0; s < said.size(); ++s) set_skill(sources[s], said[s], believed, places, base);
    if (comparable) set_trust(sources);
  }
}

// What one record of each cell counts. `archs`: their weights by name.
std::vector<double> weights_of(const std::vector<Cell>& cells, const std::map<std::string, double>& archs,
                               const std::string& backend, const std::vector<double>& trust) {
  std::int64_t newest = 0;
  for (const Cell& cell : cells) newest = std::max(newest, cell.quarter);
  auto setting = [](const Cell& cell) { return std::tie(cell.arch, cell.level, cell.backend, cell.quarter); };
  std::vector<double> weights;
  weights.reserve(cells.size());
  double weight = 0, nearest = 0;
  for (const Cell& cell : cells) nearest = std::max(nearest, archs.at(cell.arch));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    if (i == 0 || setting(cell) != setting(cells[i - 1])) {
      weight = (nearest > 0 ? archs.at(cell.arch) / nearest : 0) * level_weight(cell.level) *
               (cell.backend == backend ? 1.0 : other_backend);
      weight *= std::exp2(-static_cast<double>(newest - cell.quarter) / 4);  // half of it for each year
    }
    weights.push_back(weight * trust[i]);
  }
  return weights;
}

}  // namespace

Similarity::Similarity(const std::vector<Cell>& cells, const std::string& arch, const std::string& backend) {
  Places places(cells);
  Interner<std::pair<std::int64_t, std::string_view>> names;
  std::vector<std::size_t> name;  // by cell
  std::vector<std::vector<std::size_t>> own;
  Rate total;
  name.reserve(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    bool again = i > 0 && cells[i].origin == cells[i - 1].origin && cells[i].source == cells[i - 1].source;
    name.push_back(again ? name.back() : names({cells[i].origin, cells[i].source}));
    own.resize(names.size());
    if (cells[i].reversed) continue;
    own[name[i]].push_back(i);
    total.add(cells[i]);
  }
  std::vector<Testimony> said;
  for (const auto& [key, number] : names.sorted()) {
    if (own[number].empty()) continue;
    const Cell& first = cells[own[number].front()];
    sources_.push_back(
        {first.source, 0, 0, first.decided.value_or(1), 1, first.decided.has_value(), first.reviewed});
    said.push_back(testimony_of(own[number], cells, places));
  }
  set_skills_and_trust(sources_, said, places, (total.success + 1) / (total.n + 3));
  std::vector<double> trust(names.size(), 1);  // by name
  std::size_t source = 0;
  for (const auto& [key, number] : names.sorted()) {
    if (!own[number].empty()) trust[number] = sources_[source++].trust;
  }
  trusts_.reserve(cells.size());
  for (std::size_t number : name) trusts_.push_back(trust[number]);
  weights_ = weights_of(cells, learned_weights(arch, cells, places, trusts_), backend, trusts_);
}

}  // namespace explog::recommend
