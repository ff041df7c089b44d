#include "recommend/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"
#include "recommend/already.h"
#include "recommend/beta.h"
#include "recommend/match.h"
#include "recommend/ordering.h"
#include "recommend/prior.h"

namespace explog::recommend {
namespace {

constexpr double least_near_arch = 0.75;  // arch weight from which a failure is this question's own

// Other backends than those of GPUs have no arch to be near to.
bool near(const Question& question, const std::string& arch) {
  if (question.backend == word(RecordBackend::other) && arch == question.arch) return true;
  return arch_weight(question.arch, arch) >= least_near_arch;
}

// A known failure: tried near here, never faster. Hard (listed last) only when the interval is sure of it.
void note_failures(Item& item, const Question& question, const std::vector<Weighed>& cells,
                   std::vector<Avoid>& avoid) {
  std::int64_t failures = 0, successes = 0, broken = 0;
  std::set<std::string> archs;
  std::vector<Weighed> failing;
  double weighted = 0;
  const Setting* setting = nullptr;
  bool asked = false;
  for (const Weighed& c : cells) {
    const EvidenceRow& cell = *c.cell;
    if (cell.setting != setting) {
      setting = cell.setting;
      asked = setting->backend == question.backend && near(question, setting->arch) &&
              (setting->bottleneck == question.bottleneck || question.bottleneck == Bottleneck::unknown);
    }
    if (!asked || cell.by->reversed) continue;
    failures += cell.failure;
    successes += cell.success;
    broken += cell.broken;
    weighted += c.weight * static_cast<double>(cell.failure);
    if (cell.failure == 0) continue;
    archs.insert(setting->arch);
    failing.push_back(c);
  }
  if (failures == 0 || successes > 0) return;
  double strength = weighted + prior_strength;
  item.avoid = weighted >= 2 && beta_quantile(0.9, item.p * strength, (1 - item.p) * strength) < 0.25;
  std::string where =
      arch_list({archs.begin(), archs.end()}) +
      (question.bottleneck != Bottleneck::unknown ? ", " + question.bottleneck + "-bound" : "");
  std::string what = broken == 0          ? "slower"
                     : broken == failures ? "did not run or gave wrong values"
                                          : fmt::format("{} slower, {} did not run or gave wrong values",
                                                        failures - broken, broken);
  avoid.push_back({item.strategy,
                   fmt::format("failed {} {} for {} on {} and never helped there ({}){}", failures,
                               failures == 1 ? "time" : "times", question.family, where, what,
                               item.avoid ? "" : "; still few: a hint, not a verdict"),
                   nearest_records(failing)});
}

// Ranks the strategies one after the other; what does not apply says why.
class Ranker {
 public:
  Ranker(const Question& question, const Playbook& playbook, const Ledger& ledger,
         const std::optional<Recalibration>& curve, Recommendation& result)
      : question_(question),
        playbook_(playbook),
        ledger_(ledger),
        prior_(&playbook, question, ledger),
        curve_(curve),
        result_(result) {}

  // `known`: nullptr for a strategy that the playbook does not have.
  void consider(const std::string& id, const Strategy* known) {
    Match m;
    if (known != nullptr) m = match(*known, question_, playbook_);
    if (!m.possible) return result_.filtered.push_back({id, m.why_not});
    Account account = ledger_.account(id, question_, prior_.of(id), m.believed);
    bool tried_here = std::any_of(account.cells.begin(), account.cells.end(), [&](const Weighed& c) {
      return !c.cell->by->reversed && c.cell->setting->backend == question_.backend;
    });
    bool applies = known != nullptr ? m.meant || tried_here : tried_here;
    if (!applies) {
      if (known != nullptr) result_.filtered.push_back({id, m.why_not});
      return;
    }
    if (std::string why = why_there(id, known, question_, playbook_); !why.empty())
      return result_.already_there.push_back({id, why});
    Item item = item_of(question_, id, known, known != nullptr ? &m : nullptr, account, curve_);
    note_failures(item, question_, account.cells, result_.avoid);
    result_.items.push_back(std::move(item));
  }

 private:
  const Question& question_;
  const Playbook& playbook_;
  const Ledger& ledger_;
  Prior prior_;
  const std::optional<Recalibration>& curve_;
  Recommendation& result_;
};

// How many more failures in this very situation would put an item behind the next one.
void fill_what_changes(std::vector<Item>& items) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Item& next = items[i + 1];
    if (items[i].avoid || next.p <= 0 || items[i].p <= next.p) continue;
    double failures = items[i].strength * (items[i].p / next.p - 1);
    items[i].failures_to_fall = static_cast<int>(std::floor(failures)) + 1;
  }
}

void count_records(Recommendation& result, const Question& question, const Ledger& ledger) {
  std::set<std::string> backends;
  const Setting* last = nullptr;
  bool own = false;
  for (const EvidenceRow& cell : ledger.cells()) {
    if (cell.by->reversed) continue;
    if (cell.setting != last) {
      last = cell.setting, own = last->backend == question.backend;
      backends.insert(last->backend);
    }
    result.records += cell.n();
    result.backend_records += own ? cell.n() : 0;
  }
  for (const std::string& backend : backends)
    result.backends += (result.backends.empty() ? "" : ", ") + backend;
}

std::string status_of(const Recommendation& r, const Question& question) {
  if (r.items.empty()) return "filtered";
  if (r.backend_records > 0) return "evidence";
  if (r.records > 0) return "prior";
  return is_known_kernel_type(question.kernel_type) ? "prior_only" : "unknown_kernel";
}

}  // namespace

Recommendation rank(const Question& question, FamilyEvidence evidence, const Playbook& playbook, Order order,
                    const std::optional<Recalibration>& curve) {
  Ledger ledger(
      std::move(evidence), question.arch, question.backend,
      [&](const std::string& name) { return playbook.resolve(name); },
      !features(question.state, question.metrics).empty());
  Recommendation result;
  count_records(result, question, ledger);
  result.sources = ledger.similarity().sources();
  Ranker ranker(question, playbook, ledger, curve, result);
  for (const Strategy& strategy : playbook.all()) ranker.consider(strategy.id, &strategy);
  for (const std::string& id : ledger.strategies()) {
    if (playbook.find(id) == nullptr) ranker.consider(id, nullptr);
  }
  put_in_order(result.items, playbook, {question.dtype, ledger.base_rate(), order == Order::gain});
  if (order == Order::success) fill_what_changes(result.items);
  result.status = status_of(result, question);
  if (result.status != "evidence" && result.status != "prior")
    result.relaxations = relaxations(question, playbook);
  return result;
}

// Upper confidence p + sd of the Beta distribution, among what was hardly tried (Auer 2002's optimism,
// without its randomness).
std::optional<std::size_t> to_explore(const std::vector<Item>& items, std::size_t shown) {
  std::optional<std::size_t> best;
  double highest = 0;
  for (std::size_t i = shown; i < items.size(); ++i) {
    const Item& item = items[i];
    if (item.avoid || item.strength - prior_strength >= 3) continue;
    double optimism = item.p + std::sqrt(item.p * (1 - item.p) / (item.strength + 1));
    if (best && optimism <= highest) continue;
    best = i, highest = optimism;
  }
  return best;
}

}  // namespace explog::recommend
