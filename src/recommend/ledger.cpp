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

FamilyEvidence renamed(FamilyEvidence evidence,
                       const std::function<std::string(const std::string&)>& name_of) {
  if (name_of) evidence.change_settings([&](Setting& s) { s.strategy = name_of(s.strategy); });
  return evidence;
}

bool names_one_kernel(std::string_view state) {
  std::size_t at = 0;
  for (std::size_t features = 1; features < telling_features; ++features) {
    at = state.find(';', at);
    if (at == std::string_view::npos) return false;
    ++at;
  }
  return true;
}

// Records of the same kernel in the same state by the same hand repeat each other: n of them count sqrt(n).
double repeats(const EvidenceRow& cell) {
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, cell.n())));
}

bool other_situation(const EvidenceRow& a, const EvidenceRow& b) {
  return a.setting != b.setting || a.size != b.size || a.latency != b.latency;
}

struct Tally {
  double n = 0, success = 0, failure = 0;
  void add(const EvidenceRow& cell, double w) {
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

Ledger::Ledger(FamilyEvidence evidence, const std::string& arch, const std::string& backend,
               const std::function<std::string(const std::string&)>& name_of, bool by_state)
    : evidence_(renamed(std::move(evidence), name_of)),
      similarity_(evidence_, arch, backend),
      table_(by_state ? FeatureTable(evidence_) : FeatureTable()) {
  std::vector<bool> telling;
  for (const KernelState& state : evidence_.states()) telling.push_back(names_one_kernel(state.text));
  weights_.reserve(cells().size());
  Entry* entry = nullptr;
  double n = 3, success = 1;
  for (std::size_t i = 0; i < cells().size(); ++i) {
    const EvidenceRow& cell = cells()[i];
    if (i == 0 || cell.setting != cells()[i - 1].setting) {
      entry = &entries_[cell.setting->strategy];
      bool goes_on = !entry->rows.empty() && entry->rows.back().end == i;
      if (!goes_on) entry->rows.push_back({i, i});
    }
    entry->rows.back().end = i + 1, ++entry->count;
    weights_.push_back(similarity_.weight(cell) * (telling[cell.state->number] ? repeats(cell) : 1));
    if (cell.by->reversed) continue;
    double trust = similarity_.trust(cell);
    n += trust * static_cast<double>(cell.n()), success += trust * static_cast<double>(cell.success);
  }
  base_rate_ = success / n;
  if (by_state) fill_relevance();
}

void Ledger::fill_relevance() {
  for (auto& [strategy, tried] : entries_) {
    std::vector<Sample> samples;
    samples.reserve(tried.count);
    for (const Stretch& rows : tried.rows) {
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const EvidenceRow& cell = cells()[i];
        samples.push_back({cell.state->number, weights_[i] * static_cast<double>(cell.n()),
                           weights_[i] * static_cast<double>(cell.success)});
      }
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
    a.cells.reserve(entry.count);
    double kin = 1, situation = 0, near = 0;
    const EvidenceRow* before = nullptr;
    for (const Stretch& rows : entry.rows) {
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const EvidenceRow& cell = cells()[i];
        if (before == nullptr || other_situation(cell, *before)) {
          kin = believed * kinship(question, *cell.setting);
          situation = situation_of(question, cell);
        }
        if (!known.empty() && (before == nullptr || cell.state != before->state)) {
          bool comparable = !cell.state->text.empty();
          near = comparable ? closeness(table_, entry.relevance, point, table_.row(cell.state->number)) : 0;
        }
        a.cells.push_back({&cell, weights_[i] * kin, situation, situation * near});
        before = &cell;
      }
    }
  }
  bool state_known = !known.empty() &&
                     std::any_of(a.cells.begin(), a.cells.end(), [](const Weighed& c) { return c.near > 0; });
  fill_lines(a, question, prior, state_known);
  return a;
}

}  // namespace explog::recommend
