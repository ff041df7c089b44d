#include "recommend/prior.h"

#include <algorithm>
#include <vector>

#include "recommend/interner.h"
#include "recommend/match.h"

namespace explog::recommend {
namespace {

constexpr double half_known = 4;  // records
constexpr double pseudo_strategies = 2;

double odds(double p) { return p / (1 - p); }

}  // namespace

Prior::Prior(const Playbook* playbook, const Question& question, const Ledger& ledger)
    : playbook_(playbook), question_(question), base_(std::min(ledger.base_rate(), 0.5)) {
  struct Tried {
    double n = 0, success = 0;
  };
  Interner<std::string_view> strategies;
  std::vector<Tried> tried;
  const Setting* last = nullptr;
  std::size_t strategy = 0;
  for (const EvidenceRow& cell : ledger.cells()) {
    if (cell.by->reversed) continue;
    if (cell.setting != last) {
      last = cell.setting, strategy = strategies(last->strategy);
      tried.resize(strategies.size());
    }
    double trust = ledger.similarity().trust(cell);
    tried[strategy].n += trust * static_cast<double>(cell.n());
    tried[strategy].success += trust * static_cast<double>(cell.success);
  }
  double weight = 0, success = 0, foreseen = 0;
  for (const auto& [strategy, number] : strategies.sorted()) {
    const Tried& t = tried[number];
    if (t.n <= 0) continue;
    double w = t.n / (t.n + half_known);
    weight += w, success += w * t.success / t.n, foreseen += w * raw(std::string(strategy));
  }
  if (weight <= 0) return;
  double mean = foreseen / weight;
  odds_ = odds((success + pseudo_strategies * mean) / (weight + pseudo_strategies)) / odds(mean);
}

double Prior::raw(const std::string& strategy) const {
  const Strategy* s = playbook_ != nullptr ? playbook_->find(strategy) : nullptr;
  if (s == nullptr) return base_;
  Match m = match(*s, question_, *playbook_);
  return m.possible && m.meant ? m.probability : base_;
}

double Prior::believed(const std::string& strategy) const {
  const Strategy* s = playbook_ != nullptr ? playbook_->find(strategy) : nullptr;
  return s != nullptr ? match(*s, question_, *playbook_).believed : 1;
}

double Prior::of(const std::string& strategy) const {
  double scaled = odds_ * odds(raw(strategy));
  return scaled / (1 + scaled);
}

}  // namespace explog::recommend
