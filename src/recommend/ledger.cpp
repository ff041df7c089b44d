#include "recommend/ledger.h"

#include "model/vocabulary.h"
#include "recommend/situation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace explog::recommend {
namespace {

constexpr double parent_strength = 2;        // pseudo-records a parent level is worth (1..8 rank alike)
constexpr double near_strength = 0.3;        // the same above the nearest kernels, where outcomes hardly vary
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
  std::size_t at = 0;
  for (std::size_t features = 1; features < telling_features; ++features) {
    at = state.find(';', at);
    if (at == std::string::npos) return false;
    ++at;
  }
  return true;
}

// Records of the same kernel in the same state by the same hand repeat each other: n of them count sqrt(n).
double repeats(const Cell& cell) {
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, cell.n())));
}

bool other_situation(const Cell& a, const Cell& b) {
  return a.bottleneck != b.bottleneck || a.size != b.size || a.latency != b.latency || a.dtype != b.dtype ||
         a.kernel_type != b.kernel_type;
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

std::string situation_name(const Question& c) {
  std::string name = c.family;
  if (c.bottleneck != Bottleneck::unknown && !c.bottleneck.empty()) name += ", " + c.bottleneck + "-bound";
  if (int size = log2_size(c.shape); size >= 0) name += fmt::format(", size about 2^{}", size);
  return name;
}

void fill_lines(Account& a, const Question& question, double prior, bool state_known) {
  Tally family, here, near;
  for (const Weighed& c : a.cells) {
    family.add(*c.cell, c.weight * (1 - c.situation));
    here.add(*c.cell, c.weight * (c.situation - c.near));
    near.add(*c.cell, c.weight * c.near);
  }
  double p = back_off(family.success, family.n, prior, parent_strength);
  double failure = back_off(family.failure, family.n, (1 - prior) / 2, parent_strength);
  a.lines = {{"playbook", 0, 0, prior}, {question.family + " elsewhere", family.success, family.n, p}};
  p = back_off(here.success, here.n, p, parent_strength);
  failure = back_off(here.failure, here.n, failure, parent_strength);
  a.lines.push_back({situation_name(question), here.success, here.n, p});
  a.effective = here.n;
  a.strength = here.n + parent_strength;
  a.family_records = family.n + here.n + near.n;
  if (state_known) {
    p = back_off(near.success, near.n, p, near_strength);
    failure = back_off(near.failure, near.n, failure, near_strength);
    a.lines.push_back({"kernels like this one", near.success, near.n, p});
    a.effective = near.n;
    a.strength = near.n + parent_strength;
  }
  a.p = p, a.p_failure = std::min(failure, 1 - p);
}

}  // namespace

Ledger::Ledger(std::vector<Cell> cells, const std::string& arch, const std::string& backend,
               const std::function<std::string(const std::string&)>& name_of, bool by_state)
    : cells_(renamed(std::move(cells), name_of)),
      similarity_(cells_, arch, backend),
      table_(by_state ? std::span<const Cell>(cells_) : std::span<const Cell>()) {
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
  if (by_state) fill_relevance();
  double n = 3, success = 1;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.reversed) continue;
    double trust = similarity_.trust(i);
    n += trust * static_cast<double>(cell.n()), success += trust * static_cast<double>(cell.success);
  }
  base_rate_ = success / n;
}

void Ledger::fill_relevance() {
  for (auto& [strategy, tried] : entries_) {
    std::vector<Sample> samples;
    samples.reserve(tried.rows.size());
    for (std::size_t i : tried.rows) {
      samples.push_back({i, weights_[i] * static_cast<double>(cells_[i].n()),
                         weights_[i] * static_cast<double>(cells_[i].success)});
    }
    tried.relevance = relevance(table_, samples, knob_of(strategy));
  }
}

std::vector<std::string> Ledger::strategies() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

Account Ledger::account(const std::string& strategy, const Question& question, double prior,
                        double believed) const {
  Account a;
  Facts known = features(question.state, question.metrics);
  if (auto found = entries_.find(strategy); found != entries_.end()) {
    std::vector<double> point = table_.point(known);
    const Entry& entry = found->second;
    a.cells.reserve(entry.rows.size());
    double kin = 1, situation = 0, near = 0;
    for (std::size_t i : entry.rows) {
      const Cell& cell = cells_[i];
      const Cell* before = a.cells.empty() ? nullptr : a.cells.back().cell;
      if (before == nullptr || other_situation(cell, *before)) {
        kin = believed * kinship(question, cell);
        situation = situation_of(question, cell);
      }
      if (before == nullptr || cell.state != before->state) {
        bool comparable = !known.empty() && !cell.state.empty();
        near = comparable ? closeness(table_, entry.relevance, point, table_.row(i)) : 0;
      }
      a.cells.push_back({&cell, weights_[i] * kin, situation, situation * near});
    }
  }
  bool state_known = !known.empty() &&
                     std::any_of(a.cells.begin(), a.cells.end(), [](const Weighed& c) { return c.near > 0; });
  fill_lines(a, question, prior, state_known);
  return a;
}

}  // namespace explog::recommend
