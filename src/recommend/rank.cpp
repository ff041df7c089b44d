#include "recommend/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "recommend/beta.h"
#include "recommend/match.h"
#include "recommend/prior.h"

namespace explog::recommend {
namespace {

constexpr double prior_strength = 4;      // pseudo-records
constexpr double gain_strength = 3;       // the same for mean gains
constexpr double least_near_arch = 0.75;  // arch weight from which a failure is this context's own
constexpr double typical_loss_log2 = 0.15;

void fill_rates(Item& item, const Account& account) {
  item.p = account.p, item.p_failure = account.p_failure;
  item.strength = account.strength;
  item.ledger = account.levels;
  item.confidence = account.effective >= 15         ? "good"
                    : account.effective >= 4        ? "fair"
                    : account.family_records >= 0.5 ? "weak"
                                                    : "prior only";
}

void recalibrate(Item& item, const Recalibration& mend) {
  item.p = mend(item.p);
  item.p_failure = std::min(item.p_failure, 1 - item.p);
  item.ledger.push_back({"recalibrated on your own records", 0, 0, item.p});
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
  for (const auto& [cell, weight, situation, near] : cells) {
    double w = weight * (situation + 2 * near) / 2;  // the nearer, the more
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
  for (const auto& [cell, w, situation, near] : cells) {
    if (cell->mirrored) continue;
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

// "14 runs of gemm: 9 of 12 faster on sm_80/86, 0 of 2 on sm_90; 3 slower or broken; 12 of them
// memory-bound".
std::string provenance(const Context& context, const Item& item, const std::vector<Weighed>& cells) {
  if (item.counts.n == 0) return "no record of it for " + context.family + ": the playbook's judgement alone";
  std::set<std::string> others;
  std::int64_t here = 0, here_faster = 0, reversed = 0, same_bottleneck = 0, unknown_bottleneck = 0;
  for (const auto& [cell, w, situation, near] : cells) {
    if (cell->mirrored) reversed += cell->n();
    if (cell->mirrored) continue;
    bool own = cell->arch == context.arch;
    if (own) here += cell->n(), here_faster += cell->success;
    if (!own) others.insert(cell->arch);
    same_bottleneck += cell->bottleneck == context.bottleneck ? cell->n() : 0;
    unknown_bottleneck += cell->bottleneck == "unknown" ? cell->n() : 0;
  }
  std::string text =
      fmt::format("{} {} of {}: ", item.counts.n, item.counts.n == 1 ? "run" : "runs", context.family);
  if (!others.empty())
    text += fmt::format("{} of {} faster on {}", item.counts.success - here_faster, item.counts.n - here,
                        arch_list(others));
  if (here > 0)
    text += fmt::format("{}{} of {}{} on {}", others.empty() ? "" : ", ", here_faster, here,
                        others.empty() ? " faster" : "", context.arch);
  if (here == 0) text += ", nothing on " + context.arch;
  if (item.counts.failure > 0) text += fmt::format("; {} slower or broken", item.counts.failure);
  if (context.bottleneck != "unknown" && unknown_bottleneck == item.counts.n) {
    text += "; their bottleneck is not recorded";
  } else if (context.bottleneck != "unknown") {
    text += fmt::format("; {} of them {}-bound",
                        same_bottleneck == 0 ? "none" : std::to_string(same_bottleneck), context.bottleneck);
  }
  if (reversed > 0) text += fmt::format("; and {} of the opposite change, read backwards", reversed);
  return text;
}

std::vector<std::int64_t> nearest_records(std::vector<Weighed> cells) {
  auto closeness = [](const Weighed& c) { return c.weight * (0.5 + c.situation / 2 + c.near); };
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
    bool near_arch = arch_weight(context.arch, cell.arch) >= least_near_arch;
    bool here = near_arch && !cell.mirrored && cell.backend == context.backend &&
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

namespace {

// "smem_tiling is on already" when the kernel's state says that the change has been made.
std::string why_done(const std::string& id, const Context& context) {
  std::string_view knob = knob_of(id);
  auto now = knob.empty() ? std::nullopt : fact(context.state, knob);
  if (!now) return "";
  std::string_view to = std::string_view(id).substr(knob.size() + 1);
  if (to == "on") return *now != 0 ? fmt::format("{} is on already", knob) : "";
  if (to == "off") return *now == 0 ? fmt::format("{} is off already", knob) : "";
  bool same = to.starts_with("to") && parse_number(to.substr(2)) == *now;
  return same ? fmt::format("{} is {} already", knob, to.substr(2)) : "";
}

// Everything about one strategy but its place; nothing when it does not apply.
std::optional<Item> item_of(const std::string& id, const Strategy* known, const Context& context,
                            const Ledger& ledger, const Prior& prior,
                            const std::optional<Recalibration>& mend, Recommendation& result) {
  Item item;
  item.strategy = id;
  item.title = "(not in the playbook)";
  double prior_gain = std::log2(1.2);
  Match m;
  if (known != nullptr) {
    m = match(*known, context);
    item.title = known->title;
    item.reasons = m.reasons;
    if (!m.meant) item.reasons.push_back(m.why_not);
    prior_gain = (std::log2(known->prior.speedup_lo) + std::log2(known->prior.speedup_hi)) / 2;
  }
  if (std::string why = why_done(id, context); !why.empty()) {
    result.filtered.push_back({id, why});
    return std::nullopt;
  }
  Account account = ledger.account(id, context, prior.of(id));
  bool tried_here = std::any_of(account.cells.begin(), account.cells.end(), [&](const Weighed& c) {
    return c.cell->backend == context.backend && !c.cell->mirrored;
  });
  bool applies = known != nullptr ? m.possible && (m.meant || tried_here) : tried_here;
  if (!applies) {
    if (known != nullptr) result.filtered.push_back({id, m.why_not});
    return std::nullopt;
  }
  count(item, account.cells);
  fill_rates(item, account);
  if (mend) recalibrate(item, *mend);
  fill_gain(item, context, account.cells, prior_gain);
  item.reasons.insert(item.reasons.begin(), provenance(context, item, account.cells));
  item.rids = nearest_records(account.cells);
  judge_failures(item, context, account.cells, result.avoid);
  return item;
}

// How many more failures in this very situation would put an item behind the next one.
void fill_what_changes(std::vector<Item>& items) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Item& next = items[i + 1];
    if (items[i].avoid || next.p <= 0 || items[i].p <= next.p) continue;
    double failures = items[i].strength * (items[i].p / next.p - 1);
    items[i].failures_to_fall = static_cast<int>(std::floor(failures)) + 1;
  }
}

std::string status_of(const Recommendation& r, const Context& context) {
  if (r.items.empty()) return "filtered";
  if (r.records > 0) return "evidence";
  return is_known_kernel_type(context.kernel_type) ? "prior_only" : "unknown_kernel";
}

}  // namespace

Recommendation rank(const Context& context, std::vector<Cell> evidence, const Playbook& playbook, Order order,
                    const std::optional<Recalibration>& mend) {
  Ledger ledger(std::move(evidence), context.arch, context.backend,
                [&](const std::string& name) { return playbook.resolve(name); });
  Recommendation result;
  result.records = ledger.records();
  result.sources = ledger.similarity().sources();
  Prior prior(&playbook, context, ledger);
  auto consider = [&](const std::string& id, const Strategy* known) {
    auto item = item_of(id, known, context, ledger, prior, mend, result);
    if (item) result.items.push_back(std::move(*item));
  };
  for (const Strategy& strategy : playbook.all()) consider(strategy.id, &strategy);
  for (const std::string& id : ledger.strategies()) {
    if (playbook.find(id) == nullptr) consider(id, nullptr);
  }
  std::stable_sort(result.items.begin(), result.items.end(), [&](const Item& a, const Item& b) {
    if (a.avoid != b.avoid) return b.avoid;
    double x = order == Order::gain ? a.expected : a.p, y = order == Order::gain ? b.expected : b.p;
    if (x != y) return x > y;
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.strategy < b.strategy;
  });
  if (order == Order::success) fill_what_changes(result.items);
  result.status = status_of(result, context);
  if (result.status != "evidence") result.relaxations = relaxations(context, playbook);
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
