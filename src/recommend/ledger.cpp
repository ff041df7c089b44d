#include "recommend/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace explog::recommend {
namespace {

constexpr double parent_strength = 4;        // pseudo-records a parent level is worth (2..8 rank alike)
constexpr double near_strength = 1;          // the same above the nearest kernels, where outcomes hardly vary
constexpr std::size_t telling_features = 4;  // a state of so many names one kernel

std::vector<Cell> renamed(std::vector<Cell> cells,
                          const std::function<std::string(const std::string&)>& name_of) {
  if (!name_of) return cells;
  SharedText from, to;
  for (Cell& cell : cells) {
    if (cell.strategy != from) from = cell.strategy, to = name_of(from);
    cell.strategy = to;
  }
  return cells;
}

bool names_one_kernel(const std::string& state) {
  return static_cast<std::size_t>(std::count(state.begin(), state.end(), ';')) + 1 >= telling_features;
}

// Records of the same kernel in the same state by the same hand repeat each other: n of them count sqrt(n).
double repeats(const Cell& cell) {
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, cell.n())));
}

struct Tally {
  double n = 0, success = 0, failure = 0;
  void add(const Cell& cell, double w) {
    n += w * static_cast<double>(cell.n());
    success += w * static_cast<double>(cell.success);
    failure += w * static_cast<double>(cell.failure);
  }
};

double back_off(double k, double n, double parent, double strength) {
  return (k + strength * parent) / (n + strength);
}

std::string situation_name(const Context& c) {
  std::string name = c.family;
  if (c.bottleneck != "unknown" && !c.bottleneck.empty()) name += ", " + c.bottleneck + "-bound";
  if (int size = size_bucket(c.shape); size >= 0)
    name += fmt::format(", 2^{}..2^{} elements", 3 * size, 3 * size + 3);
  return name;
}

void fill_levels(Account& a, const Context& context, double prior, bool state_known) {
  Tally family, here, near;
  for (const Weighed& c : a.cells) {
    family.add(*c.cell, c.weight * (1 - c.situation));
    here.add(*c.cell, c.weight * (c.situation - c.near));
    near.add(*c.cell, c.weight * c.near);
  }
  double p = back_off(family.success, family.n, prior, parent_strength);
  double failure = back_off(family.failure, family.n, (1 - prior) / 2, parent_strength);
  a.levels = {{"playbook", 0, 0, prior}, {context.family + " elsewhere", family.success, family.n, p}};
  p = back_off(here.success, here.n, p, parent_strength);
  failure = back_off(here.failure, here.n, failure, parent_strength);
  a.levels.push_back({situation_name(context), here.success, here.n, p});
  a.effective = here.n;
  a.strength = here.n + parent_strength;
  a.family_records = family.n + here.n + near.n;
  if (state_known) {
    p = back_off(near.success, near.n, p, near_strength);
    failure = back_off(near.failure, near.n, failure, near_strength);
    a.levels.push_back({"kernels like this one", near.success, near.n, p});
    a.effective = near.n;
    a.strength = near.n + parent_strength;
  }
  a.p = p, a.p_failure = std::min(failure, 1 - p);
}

}  // namespace

Ledger::Ledger(std::vector<Cell> cells, const std::string& arch, const std::string& backend,
               const std::function<std::string(const std::string&)>& name_of)
    : cells_(renamed(std::move(cells), name_of)), similarity_(cells_, arch, backend), table_(cells_) {
  weights_.reserve(cells_.size());
  bool telling = false;
  Entry* entry = nullptr;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (i == 0 || cell.state != cells_[i - 1].state) telling = names_one_kernel(cell.state);
    if (i == 0 || cell.strategy != cells_[i - 1].strategy) entry = &entries_[cell.strategy];
    weights_.push_back(similarity_.weight(i) * (telling ? repeats(cell) : 1));
    entry->rows.push_back(i);
  }
  for (auto& [strategy, tried] : entries_) {
    std::vector<Sample> samples;
    samples.reserve(tried.rows.size());
    for (std::size_t i : tried.rows) {
      samples.push_back({i, weights_[i] * static_cast<double>(cells_[i].n()),
                         weights_[i] * static_cast<double>(cells_[i].success)});
    }
    tried.relevance = relevance(table_, samples, knob_of(strategy));
  }
  double n = 3, success = 1;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.mirrored) continue;
    double trust = similarity_.trust(i);
    n += trust * static_cast<double>(cell.n()), success += trust * static_cast<double>(cell.success);
  }
  base_rate_ = success / n;
}

std::vector<std::string> Ledger::strategies() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

Account Ledger::account(const std::string& strategy, const Context& context, double prior) const {
  Account a;
  Facts known = features(context.state, context.metrics);
  if (auto found = entries_.find(strategy); found != entries_.end()) {
    std::vector<double> point = table_.point(known);
    const Entry& entry = found->second;
    a.cells.reserve(entry.rows.size());
    double situation = 0, near = 0;
    for (std::size_t i : entry.rows) {
      const Cell& cell = cells_[i];
      const Cell* before = a.cells.empty() ? nullptr : a.cells.back().cell;
      if (before == nullptr || cell.bottleneck != before->bottleneck || cell.size != before->size)
        situation = situation_of(context, cell);
      if (before == nullptr || cell.state != before->state) {
        bool comparable = !known.empty() && !cell.state.empty();
        near = comparable ? closeness(table_, entry.relevance, point, table_.row(i)) : 0;
      }
      a.cells.push_back({&cell, weights_[i], situation, situation * near});
    }
  }
  bool state_known = !known.empty() &&
                     std::any_of(a.cells.begin(), a.cells.end(), [](const Weighed& c) { return c.near > 0; });
  fill_levels(a, context, prior, state_known);
  return a;
}

std::int64_t Ledger::records() const {
  std::int64_t n = 0;
  for (const Cell& cell : cells_) n += cell.mirrored ? 0 : cell.n();
  return n;
}

}  // namespace explog::recommend
