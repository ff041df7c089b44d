#include "recommend/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "model/arch.h"
#include "recommend/beta.h"
#include "recommend/match.h"

namespace explog::recommend {
namespace {

constexpr double prior_strength =
    4;  // pseudo-records a parent level is worth (m of the method; 2..8 rank alike)
constexpr double gain_strength = 3;  // the same for mean gains
constexpr double near_arch = 0.75;   // arch weight from which a failure is this context's own
constexpr double typical_loss_log2 = 0.15;

double level_weight(const std::string& level) {
  if (level == "claimed") return 0.7;
  return level == "imported" ? 0.85 : 1.0;
}

double weight(const Context& context, const Cell& cell) {
  double backend = cell.backend == context.backend ? 1.0 : 0.5;
  return arch_weight(context.arch, cell.arch) * backend * level_weight(cell.level);
}

bool same_situation(const Context& context, const Cell& cell) {
  return cell.bottleneck == context.bottleneck && cell.size == size_bucket(context.shape);
}

// A cell with what it counts for the question at hand.
struct Weighed {
  const Cell* cell;
  double weight;   // of each of its records
  bool same;       // bottleneck and size as asked
  bool near_arch;  // close enough that its failures are this context's own
};

struct Tally {
  double n = 0, success = 0, failure = 0;
  void add(const Cell& cell, double w) {
    n += w * static_cast<double>(cell.n());
    success += w * static_cast<double>(cell.success);
    failure += w * static_cast<double>(cell.failure);
  }
};

// One level of back-off: the parent's rate is worth `prior_strength` records.
double back_off(double k, double n, double parent) {
  return (k + prior_strength * parent) / (n + prior_strength);
}

std::string situation_name(const Context& c) {
  std::string name = c.family;
  if (c.bottleneck != "unknown") name += ", " + c.bottleneck + "-bound";
  if (int size = size_bucket(c.shape); size >= 0)
    name += fmt::format(", 2^{}..2^{} elements", 3 * size, 3 * size + 3);
  return name;
}

void fill_rates(Item& item, const Context& context, const std::vector<Weighed>& cells, double prior) {
  Tally family, here;
  for (const Weighed& c : cells) {
    family.add(*c.cell, c.weight);
    if (c.same) here.add(*c.cell, c.weight);
  }
  double prior_failure = (1 - prior) / 2;
  double parent = back_off(family.success - here.success, family.n - here.n, prior);
  double parent_failure = back_off(family.failure - here.failure, family.n - here.n, prior_failure);
  item.p = back_off(here.success, here.n, parent);
  item.p_failure = back_off(here.failure, here.n, parent_failure);
  item.strength = here.n + prior_strength;
  item.ledger = {{"playbook", 0, 0, prior},
                 {context.family + " elsewhere", family.success - here.success, family.n - here.n, parent},
                 {situation_name(context), here.success, here.n, item.p}};
  item.confidence = here.n >= 15 ? "good" : here.n >= 4 ? "fair" : family.n >= 1 ? "weak" : "prior only";
}

// A diagnosis knows it; DRAM's share of its peak alone is the roof of a kernel that is bound by it. Shares of
// other units (L1, L2, instruction issue) are no roof: a better kernel needs less of them.
double reached_share(const Context& context) {
  if (context.reached > 0) return context.reached;
  for (const char* metric : {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                             "dram__throughput.avg.pct_of_peak_sustained_elapsed"}) {
    if (auto share = fact(context.metrics, metric); share && *share > 0) return *share / 100;
  }
  return 0;
}

// Mean log2 gain of successes and loss of failures, shrunk toward the playbook's range and a typical loss.
void fill_gain(Item& item, const Context& context, const std::vector<Weighed>& cells, double prior_gain) {
  double gain = gain_strength * prior_gain, gain_n = gain_strength;
  double loss = gain_strength * typical_loss_log2, loss_n = gain_strength;
  for (const auto& [cell, w, same, near] : cells) {
    gain += w * static_cast<double>(cell->gain_sum) / 1e4;
    gain_n += w * static_cast<double>(cell->gain_n);
    loss -= w * static_cast<double>(cell->loss_sum) / 1e4;
    loss_n += w * static_cast<double>(cell->loss_n);
  }
  double mean_gain = gain / gain_n;
  item.gain = std::exp2(mean_gain);
  double reached = reached_share(context);
  if (reached > 0 && item.gain > 1 / reached) {
    item.gain = std::max(1.0, 1 / reached);
    item.reasons.push_back(
        fmt::format("gain capped at {}x: the kernel reaches {}% of its roof, unless traffic or "
                    "arithmetic are saved",
                    short_number(item.gain), short_number(100 * reached)));
  }
  item.expected = item.p * std::log2(item.gain) - item.p_failure * (loss / loss_n) / 2;
}

void count(Item& item, const std::vector<Weighed>& cells) {
  for (const auto& [cell, w, same, near] : cells) {
    item.counts.n += cell->n();
    item.counts.success += cell->success;
    item.counts.neutral += cell->neutral;
    item.counts.failure += cell->failure;
    item.counts.broken += cell->broken;
  }
}

// "sm_80/86" from several architectures of one vendor.
std::string arch_list(const std::set<std::string>& archs) {
  std::string text;
  for (const std::string& arch : archs) {
    bool follows = !text.empty() && arch.rfind("sm_", 0) == 0 && text.rfind("sm_", 0) == 0;
    text += (text.empty() ? "" : "/") + (follows ? arch.substr(3) : arch);
  }
  return text;
}

// "12 runs of gemm on sm_80/86: 7 faster, 2 slower; 3 of them memory-bound; nothing on sm_90".
std::string provenance(const Context& context, const Item& item, const std::vector<Weighed>& cells) {
  if (item.counts.n == 0) return "no record of it for " + context.family + ": the playbook's judgement alone";
  std::set<std::string> archs;
  std::int64_t same_bottleneck = 0, unknown_bottleneck = 0, same_arch = 0;
  for (const auto& [cell, w, same, near] : cells) {
    archs.insert(cell->arch);
    same_bottleneck += cell->bottleneck == context.bottleneck ? cell->n() : 0;
    unknown_bottleneck += cell->bottleneck == "unknown" ? cell->n() : 0;
    same_arch += cell->arch == context.arch ? cell->n() : 0;
  }
  std::string text = fmt::format("{} {} of {} on {}: {} faster, {} slower or broken", item.counts.n,
                                 item.counts.n == 1 ? "run" : "runs", context.family, arch_list(archs),
                                 item.counts.success, item.counts.failure);
  if (context.bottleneck != "unknown" && unknown_bottleneck == item.counts.n) {
    text += "; their bottleneck is not recorded";
  } else if (context.bottleneck != "unknown") {
    text += fmt::format("; {} of them {}-bound",
                        same_bottleneck == 0 ? "none" : std::to_string(same_bottleneck), context.bottleneck);
  }
  if (same_arch == 0) text += "; nothing on " + context.arch;
  return text;
}

std::vector<std::int64_t> nearest_records(std::vector<Weighed> cells) {
  auto closeness = [](const Weighed& c) { return c.weight * (c.same ? 1 : 0.5); };
  std::stable_sort(cells.begin(), cells.end(),
                   [&](const Weighed& a, const Weighed& b) { return closeness(a) > closeness(b); });
  std::vector<std::int64_t> rids;
  for (size_t i = 0; i < cells.size() && rids.size() < 3; ++i) {
    for (std::int64_t rid : {cells[i].cell->last_rid, cells[i].cell->first_rid}) {
      if (rids.size() < 3 && std::find(rids.begin(), rids.end(), rid) == rids.end()) rids.push_back(rid);
    }
  }
  return rids;
}

// A known failure: tried near here, never faster. Hard (listed last) only when the interval is sure of it.
void judge_failures(Item& item, const Context& context, const std::vector<Weighed>& cells,
                    std::vector<Avoid>& avoid) {
  std::int64_t failures = 0, successes = 0, broken = 0;
  std::set<std::string> archs;
  std::vector<Weighed> failing;
  double weighted = 0;
  for (const Weighed& c : cells) {
    const Cell& cell = *c.cell;
    bool here = c.near_arch && cell.backend == context.backend &&
                (cell.bottleneck == context.bottleneck || context.bottleneck == "unknown");
    if (!here) continue;
    failures += cell.failure;
    successes += cell.success;
    broken += cell.broken;
    weighted += c.weight * static_cast<double>(cell.failure);
    if (cell.failure == 0) continue;
    archs.insert(cell.arch);
    failing.push_back(c);
  }
  if (failures == 0 || successes > 0) return;
  double strength = weighted + prior_strength;
  item.avoid = weighted >= 2 && beta_quantile(0.9, item.p * strength, (1 - item.p) * strength) < 0.25;
  std::string where =
      arch_list(archs) + (context.bottleneck != "unknown" ? ", " + context.bottleneck + "-bound" : "");
  std::string what = broken == 0          ? "slower"
                     : broken == failures ? "did not run or gave wrong values"
                                          : fmt::format("{} slower, {} did not run or gave wrong values",
                                                        failures - broken, broken);
  avoid.push_back({item.strategy,
                   fmt::format("failed {} {} for {} on {} and never helped there ({}){}", failures,
                               failures == 1 ? "time" : "times", context.family, where, what,
                               item.avoid ? "" : "; still few: a hint, not a verdict"),
                   nearest_records(failing)});
}

}  // namespace

std::pair<double, double> interval(const Item& item) {
  double a = item.p * item.strength, b = (1 - item.p) * item.strength;
  return {beta_quantile(0.1, a, b), beta_quantile(0.9, a, b)};
}

Recommendation rank(const Context& context, const std::vector<Cell>& evidence, const Playbook& playbook,
                    Order order) {
  Recommendation result;
  std::map<std::string, std::vector<Weighed>> by_strategy;
  Tally all;
  for (const Cell& cell : evidence) {
    Weighed weighed{&cell, weight(context, cell), same_situation(context, cell),
                    arch_weight(context.arch, cell.arch) >= near_arch};
    by_strategy[playbook.resolve(cell.strategy)].push_back(weighed);
    all.add(cell, 1);
  }
  result.records = std::llround(all.n);
  double base_rate = (all.success + 1) / (all.n + 3);

  auto consider = [&](const std::string& id, const Strategy* known, const std::vector<Weighed>& cells) {
    Item item;
    item.strategy = id;
    double prior = std::min(base_rate, 0.5);
    double prior_gain = std::log2(1.2);
    bool tried_here = std::any_of(cells.begin(), cells.end(),
                                  [&](const Weighed& c) { return c.cell->backend == context.backend; });
    if (known != nullptr) {
      Match m = match(*known, context);
      if (!m.possible || (!m.meant && !tried_here)) return;
      item.title = known->title;
      if (m.meant) prior = m.probability;
      item.reasons = m.reasons;
      if (!m.meant) item.reasons.push_back(m.why_not);
      prior_gain = (std::log2(known->prior.speedup_lo) + std::log2(known->prior.speedup_hi)) / 2;
    } else {
      if (!tried_here) return;
      item.title = "(not in the playbook)";
    }
    count(item, cells);
    fill_rates(item, context, cells, prior);
    fill_gain(item, context, cells, prior_gain);
    item.reasons.insert(item.reasons.begin(), provenance(context, item, cells));
    item.rids = nearest_records(cells);
    judge_failures(item, context, cells, result.avoid);
    result.items.push_back(std::move(item));
  };
  const std::vector<Weighed> none;
  for (const Strategy& strategy : playbook.all()) {
    auto cells = by_strategy.find(strategy.id);
    consider(strategy.id, &strategy, cells != by_strategy.end() ? cells->second : none);
  }
  for (const auto& [id, cells] : by_strategy) {
    if (playbook.find(id) == nullptr) consider(id, nullptr, cells);
  }

  std::stable_sort(result.items.begin(), result.items.end(), [&](const Item& a, const Item& b) {
    if (a.avoid != b.avoid) return b.avoid;
    double x = order == Order::gain ? a.expected : a.p, y = order == Order::gain ? b.expected : b.p;
    if (x != y) return x > y;
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.strategy < b.strategy;
  });
  result.status = result.items.empty() ? "no_candidates" : result.records == 0 ? "no_evidence" : "evidence";
  return result;
}

}  // namespace explog::recommend
