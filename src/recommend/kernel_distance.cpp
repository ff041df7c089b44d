#include "recommend/kernel_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recommend/interner.h"

namespace explog::recommend {
namespace {

constexpr double bandwidth = 0.25;
constexpr double least_relevance = 0.02;
constexpr double own_knob = 4;

struct Moments {
  double n = 0, sum = 0, squares = 0;
};

// Samples that round to one value of a feature.
struct Group {
  long value;
  double n = 0, success = 0;
};

// Outcomes by the values of one feature.
class Groups {
 public:
  // For samples of one state in a row.
  void turn_to(double value) {
    known_ = !std::isnan(value);
    if (!known_) return;
    long rounded = std::lround(value);
    auto has_it = [&](const Group& g) { return g.value == rounded; };
    current_ =
        static_cast<std::size_t>(std::find_if(groups_.begin(), groups_.end(), has_it) - groups_.begin());
    if (current_ == groups_.size()) groups_.push_back({rounded});
  }
  void add(const Sample& s) {
    if (!known_) return;
    for (Group* group : {&groups_[current_], &all_}) group->n += s.n, group->success += s.success;
  }
  bool empty() const { return groups_.empty(); }
  // The share of the variance of outcomes that the feature explains, less what chance does.
  double explained() {
    double mean = all_.success / all_.n, total = all_.n * mean * (1 - mean), between = 0;
    if (all_.n <= 0 || total <= 1e-12) return 0;
    std::sort(groups_.begin(), groups_.end(),
              [](const Group& a, const Group& b) { return a.value < b.value; });
    for (const Group& g : groups_) {
      if (g.n > 0) between += g.n * (g.success / g.n - mean) * (g.success / g.n - mean);
    }
    double chance = (static_cast<double>(groups_.size()) - 1) / std::max(all_.n - 1, 1.0);
    return std::max(0.0, between / total - chance);
  }

 private:
  std::vector<Group> groups_;
  std::size_t current_ = 0;
  bool known_ = false;
  Group all_{};
};

}  // namespace

FeatureTable::FeatureTable(const FamilyEvidence& evidence) {
  struct Entry {
    std::size_t state, name;
    double value;
  };
  Interner<std::string_view> names;
  std::vector<std::pair<std::string_view, std::size_t>>
      last;  // names of the state before: most have the same
  std::vector<Entry> entries;
  std::vector<bool> met(evidence.states().size());
  for (const EvidenceRow& cell : evidence.rows) {
    const KernelState& state = *cell.state;
    if (met[state.number]) continue;
    met[state.number] = true;
    std::size_t place = 0;
    for (const auto& [name, value] : features_in(state.text)) {
      if (place == last.size()) last.emplace_back();
      auto& [same, number] = last[place++];
      if (same != name) same = name, number = names(name);
      entries.push_back({state.number, number, value});
    }
  }
  std::vector<std::size_t> column(names.size());
  for (const auto& [name, number] : names.sorted()) {
    column[number] = names_.size();
    names_.emplace_back(name);
  }
  values_.assign(met.size() * width(), std::numeric_limits<double>::quiet_NaN());
  for (const Entry& e : entries) values_[e.state * width() + column[e.name]] = e.value;
  std::vector<Moments> moments(width());
  for (const EvidenceRow& cell : evidence.rows) {
    std::span<const double> p = row(cell.state->number);
    double n = static_cast<double>(cell.n());
    for (std::size_t f = 0; f < width(); ++f) {
      if (std::isnan(p[f])) continue;
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
  std::vector<Groups> features(table.width());
  const double* state = nullptr;
  for (const Sample& s : samples) {
    std::span<const double> row = table.row(s.state);
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (row.data() != state) features[f].turn_to(row[f]);
      features[f].add(s);
    }
    state = row.data();
  }
  std::vector<double> weights;
  double sum = 0;
  int known = 0;
  for (Groups& groups : features) {
    weights.push_back(least_relevance + (groups.empty() ? 0 : groups.explained()));
    if (!groups.empty()) sum += weights.back(), ++known;
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
