#include "recommend/similarity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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
  return level == Level::imported || level == in_process_level ? 0.85 : 1.0;
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
  explicit Places(const FamilyEvidence& evidence) : arch_(evidence.settings().size()) {
    Interner<std::string_view> strategies, archs;
    std::vector<std::vector<std::pair<double, std::uint32_t>>> values;  // by strategy: a knob has few
    std::string_view knob;
    std::size_t strategy = 0;
    const EvidenceRow* before = nullptr;
    change_.reserve(evidence.rows.size());
    for (const EvidenceRow& cell : evidence.rows) {
      bool same = before != nullptr && cell.setting == before->setting;
      if (!same) {
        strategy = strategies(cell.setting->strategy), knob = knob_of(cell.setting->strategy);
        values.resize(strategies.size());
        arch_[cell.setting->number] = archs(cell.setting->arch);
        if (archs.size() > archs_.size()) archs_.push_back(cell.setting->arch);
      }
      bool again = same && cell.state == before->state;
      change_.push_back(again ? change_.back()
                              : change_of(values[strategy], value_of(knob, cell.state->text)));
      before = &cell;
    }
    for (const std::string& a : archs_) {
      for (const std::string& b : archs_) squared_weights_.push_back(std::pow(arch_weight(a, b), 2));
    }
  }
  const std::vector<std::string>& archs() const { return archs_; }
  std::size_t changes() const { return changes_; }
  std::size_t count() const { return changes_ * archs_.size(); }
  std::size_t arch(const Setting& setting) const { return arch_[setting.number]; }
  std::size_t place(std::size_t row, const EvidenceRow& cell) const {
    return change_[row] * archs_.size() + arch(*cell.setting);
  }
  double squared_weight(std::size_t a, std::size_t b) const {
    return squared_weights_[a * archs_.size() + b];
  }

 private:
  std::uint32_t change_of(std::vector<std::pair<double, std::uint32_t>>& values, double value) {
    for (const auto& [known, change] : values) {
      if (known == value) return change;
    }
    values.emplace_back(value, changes_);
    return changes_++;
  }

  std::vector<std::string> archs_;
  std::vector<std::uint32_t> change_;  // by row
  std::vector<std::size_t> arch_;      // by setting
  std::vector<double> squared_weights_;
  std::uint32_t changes_ = 0;
};

struct Rate {
  double n = 0, success = 0;
  void add(const EvidenceRow& cell) {
    n += static_cast<double>(cell.n());
    success += static_cast<double>(cell.success);
  }
  static Rate of(const EvidenceRow& cell) {
    return {static_cast<double>(cell.n()), static_cast<double>(cell.success)};
  }
  void add(const Rate& rate, double weight) { n += weight * rate.n, success += weight * rate.success; }
  double value() const { return success / n; }
  double variance() const { return value() * (1 - value()) / std::max(n - 1, 1.0); }
};
// 1 when two archs have the same success rates, 0 when they differ as unrelated ones would; the sampling
// noise of both rates is taken out. `shared` becomes the number of records it rests on. `rates`: by place.
double agreement(const std::vector<Rate>& rates, const Places& places, std::size_t a, std::size_t b,
                 double& shared) {
  double mean_a = 0, mean_b = 0, apart = 0, unrelated = 0;
  shared = 0;
  for (bool second : {false, true}) {
    for (std::size_t change = 0; change < places.changes(); ++change) {
      const Rate &x = rates[change * places.archs().size() + a],
                 &y = rates[change * places.archs().size() + b];
      double w = std::min(x.n, y.n);
      if (w <= 0) continue;  // not tried on both, or said by sources that are not believed at all
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

// Weights of the archs for questions about `arch`. `trust`: by provenance.
std::vector<double> learned_weights(const std::string& arch, const FamilyEvidence& evidence,
                                    const Places& places, const std::vector<double>& trust) {
  const std::vector<std::string>& archs = places.archs();
  std::vector<Rate> rates(places.count());
  for (std::size_t i = 0; i < evidence.rows.size(); ++i) {
    const EvidenceRow& cell = evidence.rows[i];
    rates[places.place(i, cell)].add(Rate::of(cell), trust[cell.by->number]);
  }
  auto own = static_cast<std::size_t>(std::find(archs.begin(), archs.end(), arch) - archs.begin());
  std::vector<double> weights;
  for (std::size_t other = 0; other < archs.size(); ++other) {
    double weight = arch_weight(arch, archs[other]), shared = 0;
    if (other != own && own < archs.size()) {
      double learned = agreement(rates, places, own, other, shared);
      if (shared >= enough_shared)
        weight = (shared * learned + table_strength * weight) / (shared + table_strength);
    }
    weights.push_back(std::pow(weight, arch_sharpness));
  }
  return weights;
}

// What one source says: rates by place, in the order of the places.
struct Testimony {
  std::vector<std::size_t> places;
  std::vector<Rate> rates;
};

// Adds up what one source after the other says.
class Testimonies {
 public:
  explicit Testimonies(const Places& places) : rates_(places.count()), said_(places.count()) {}
  Testimony of(const std::vector<std::uint32_t>& own, const FamilyEvidence& evidence, const Places& places) {
    std::vector<std::size_t> met;
    for (std::uint32_t i : own) {
      std::size_t place = places.place(i, evidence.rows[i]);
      if (!said_[place]) said_[place] = true, met.push_back(place);
      rates_[place].add(evidence.rows[i]);
    }
    std::sort(met.begin(), met.end());
    Testimony list;
    list.places = std::move(met), list.rates.reserve(list.places.size());
    for (std::size_t place : list.places) {
      list.rates.push_back(std::exchange(rates_[place], {}));
      said_[place] = false;
    }
    return list;
  }

 private:
  std::vector<Rate> rates_;  // by place, of the source at hand
  std::vector<bool> said_;
};

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

// The rows of each source without mirror images, and all of them added up.
struct Sources {
  Interner<std::pair<std::int64_t, std::string_view>> names;
  std::vector<std::size_t> name;                // by provenance
  std::vector<std::vector<std::uint32_t>> own;  // by name
  Rate total;

  explicit Sources(const FamilyEvidence& evidence) {
    for (const Provenance& by : evidence.provenances()) name.push_back(names({by.origin, by.source}));
    own.resize(names.size());
    for (std::size_t i = 0; i < evidence.rows.size(); ++i) {
      const EvidenceRow& cell = evidence.rows[i];
      if (cell.by->reversed) continue;
      own[name[cell.by->number]].push_back(static_cast<std::uint32_t>(i));
      total.add(cell);
    }
  }
};

}  // namespace

Similarity::Similarity(const FamilyEvidence& evidence, const std::string& arch, const std::string& backend) {
  Places places(evidence);
  Sources known(evidence);
  std::vector<Testimony> said;
  Testimonies testimonies(places);
  for (const auto& [key, number] : known.names.sorted()) {
    if (known.own[number].empty()) continue;
    const Provenance& first = *evidence.rows[known.own[number].front()].by;
    sources_.push_back(
        {first.source, 0, 0, first.decided.value_or(1), 1, first.decided.has_value(), first.reviewed});
    said.push_back(testimonies.of(known.own[number], evidence, places));
  }
  set_skills_and_trust(sources_, said, places, (known.total.success + 1) / (known.total.n + 3));
  std::vector<double> trust(known.names.size(), 1);  // by name
  std::size_t source = 0;
  for (const auto& [key, number] : known.names.sorted()) {
    if (!known.own[number].empty()) trust[number] = sources_[source++].trust;
  }
  for (std::size_t number : known.name) trusts_.push_back(trust[number]);
  weigh(evidence, backend, learned_weights(arch, evidence, places, trusts_),
        [&](const Setting& setting) { return places.arch(setting); });
}

void Similarity::weigh(const FamilyEvidence& evidence, const std::string& backend,
                       const std::vector<double>& archs,
                       const std::function<std::size_t(const Setting&)>& arch_of) {
  std::int64_t newest = 0;
  double nearest = 0;
  for (double arch : archs) nearest = std::max(nearest, arch);
  for (const EvidenceRow& cell : evidence.rows) newest = std::max(newest, cell.by->quarter);
  for (const Setting& setting : evidence.settings()) {
    bool met = !archs.empty();
    archs_.push_back(met && nearest > 0 ? archs[arch_of(setting)] / nearest : 0);
    backends_.push_back(setting.backend == backend ? 1.0 : other_backend);
  }
  for (const Provenance& by : evidence.provenances()) {
    levels_.push_back(level_weight(by.level));
    ages_.push_back(std::exp2(-static_cast<double>(newest - by.quarter) / 4));  // half of it for each year
  }
}

}  // namespace explog::recommend
