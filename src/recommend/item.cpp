#include "recommend/item.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/vocabulary.h"
#include "recommend/beta.h"

namespace explog::recommend {
namespace {

constexpr double gain_strength = 3;  // pseudo-records of the playbook's gain
constexpr double typical_loss_log2 = 0.15;

void count(Item& item, const Question& question, const std::vector<Weighed>& cells) {
  const Setting* setting = nullptr;
  bool own = false;
  for (const Weighed& c : cells) {
    const EvidenceRow& cell = *c.cell;
    if (cell.setting != setting) setting = cell.setting, own = setting->backend == question.backend;
    std::int64_t reversed = cell.by->reversed ? cell.n() : 0;
    if (!own) {
      item.counts.other_backends += cell.n() - reversed;
      continue;
    }
    item.counts.n += cell.n();
    item.counts.reversed += reversed;
    item.counts.in_process += cell.by->level == in_process_level ? cell.n() : 0;
    item.counts.success += cell.success;
    item.counts.neutral += cell.neutral;
    item.counts.failure += cell.failure;
    item.counts.broken += cell.broken;
  }
}

// Words for how much is known, not for how good it is: the chance says that.
std::string confidence_of(const Item& item, double effective) {
  effective = std::min(effective, static_cast<double>(item.counts.n));
  if (item.prior_only()) return "prior only";
  return effective >= 15 ? "good" : effective >= 4 ? "fair" : "weak";
}

// Squeezes what lies above `believable` into the room below `most_by_prior`, in the same order.
double guess(double p) {
  double room = (most_by_prior - believable) / (1 - believable);
  return p <= believable ? p : believable + (p - believable) * room;
}

// What rests on the playbook alone is a guess: never near certain, less so where it needs a signal that nobody
// gave.
void hold_back(Item& item, const Match* m, bool needs_signal) {
  if (!item.prior_only()) return;
  item.strength = untried_strength;
  item.p = guess(item.p);
  if (needs_signal && m != nullptr && !m->supported) {
    item.p *= most_unsupported / most_by_prior;
    item.reasons.push_back("helps some kernels of any kind: look for its signal first");
  }
  item.p_failure = std::min(item.p_failure, 1 - item.p);
}

void recalibrate(Item& item, const Recalibration& curve) {
  item.p = item.prior_only() ? std::min(curve(item.p), most_by_prior) : curve(item.p);
  item.p_failure = std::min(item.p_failure, 1 - item.p);
  item.ledger.push_back({"recalibrated on your own records", 0, 0, item.p});
}

// A diagnosis knows it; DRAM's share of its peak alone is the roof of a kernel that is bound by it. Shares of
// other units (L1, L2, instruction issue) are no roof: a better kernel needs less of them.
double reached_share(const Question& question) {
  if (question.reached > 0) return question.reached;
  for (const char* metric : {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                             "dram__throughput.avg.pct_of_peak_sustained_elapsed"}) {
    if (auto share = fact(question.metrics, metric); share && *share > 0) return *share / 100;
  }
  return 0;
}

// What cells say of a change's size: (log2, weight) of each.
struct Sizes {
  std::vector<std::pair<double, double>> list;
  double weight = 0;

  void add(std::int64_t sum, std::int64_t n, double w) {
    if (n == 0 || w <= 0) return;
    list.emplace_back(static_cast<double>(sum) / 1e4 / static_cast<double>(n), w * static_cast<double>(n));
    weight += w * static_cast<double>(n);
  }
  // Half of the weight lies below it: one record that is far out does not move it.
  double median() {
    std::sort(list.begin(), list.end());
    double below = 0;
    for (const auto& [value, w] : list) {
      below += w;
      if (below >= weight / 2) return value;
    }
    return 0;
  }
};

// Median log2 gain of successes and loss of failures, shrunk toward the playbook's range and a typical loss.
void fill_gain(Item& item, const Question& question, const std::vector<Weighed>& cells, double prior_gain) {
  Sizes gains, losses;
  for (const auto& [cell, weight, situation, near] : cells) {
    double w = weight * (situation + 2 * near) / 2;  // the nearer, the more
    gains.add(cell->gain_sum, cell->gain_n, w);
    losses.add(-cell->loss_sum, cell->loss_n, w);
  }
  double gain = (gains.weight * gains.median() + gain_strength * prior_gain) / (gains.weight + gain_strength);
  double loss =
      (losses.weight * losses.median() + gain_strength * typical_loss_log2) / (losses.weight + gain_strength);
  item.gain = std::exp2(gain);
  double reached = reached_share(question);
  if (reached > 0 && item.gain > 1 / reached) {
    item.gain = std::max(1.0, 1 / reached);
    item.reasons.push_back(
        fmt::format("gain capped at {}x: the kernel reaches {}% of its roof, unless traffic or "
                    "arithmetic are saved",
                    short_number(item.gain), short_number(100 * reached)));
  }
  item.expected = item.p * std::log2(item.gain) - item.p_failure * loss / 2;
}

// Runs of the question's backend by where and in what they were made, mirror images left out.
struct Runs {
  std::int64_t here = 0, here_faster = 0, elsewhere = 0, elsewhere_faster = 0, failed = 0;
  std::int64_t same_bottleneck = 0, unknown_bottleneck = 0, same_dtype = 0;
  std::vector<std::string> archs, dtypes;  // others than asked for
  std::int64_t n() const { return here + elsewhere; }
};

void note(std::vector<std::string>& list, const std::string& word) {
  if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

Runs runs_of(const Question& question, const std::vector<Weighed>& cells) {
  Runs r;
  const Setting* setting = nullptr;
  std::int64_t *runs = nullptr, *faster = nullptr;
  bool here = false, own = false, same_dtype = false, same_bottleneck = false, unknown_bottleneck = false;
  for (const Weighed& c : cells) {
    const EvidenceRow& cell = *c.cell;
    if (cell.by->reversed) continue;
    if (cell.setting != setting) {
      setting = cell.setting, own = setting->backend == question.backend;
      here = setting->arch == question.arch, same_dtype = setting->dtype == question.dtype;
      runs = here ? &r.here : &r.elsewhere, faster = here ? &r.here_faster : &r.elsewhere_faster;
      same_bottleneck = setting->bottleneck == question.bottleneck;
      unknown_bottleneck = setting->bottleneck == Bottleneck::unknown;
      if (own && !here) note(r.archs, setting->arch);
      if (own && !same_dtype) note(r.dtypes, setting->dtype);
    }
    if (!own) continue;
    *runs += cell.n(), *faster += cell.success, r.failed += cell.failure;
    r.same_dtype += same_dtype ? cell.n() : 0;
    r.same_bottleneck += same_bottleneck ? cell.n() : 0;
    r.unknown_bottleneck += unknown_bottleneck ? cell.n() : 0;
  }
  for (auto* list : {&r.archs, &r.dtypes}) std::sort(list->begin(), list->end());
  return r;
}

// "14 runs of gemm: 9 of 12 faster on sm_80/86, 0 of 2 on sm_90; 3 slower or broken; 12 of them memory-bound;
// 2 of them bf16".
std::string runs_text(const Question& question, const Runs& r) {
  std::string text = fmt::format("{} {} of {}: ", r.n(), r.n() == 1 ? "run" : "runs", question.family);
  if (r.elsewhere > 0)
    text += fmt::format("{} of {} faster on {}", r.elsewhere_faster, r.elsewhere, arch_list(r.archs));
  if (r.here > 0)
    text += fmt::format("{}{} of {}{} on {}", r.elsewhere > 0 ? ", " : "", r.here_faster, r.here,
                        r.elsewhere > 0 ? "" : " faster", question.arch);
  if (r.here == 0) text += ", nothing on " + question.arch;
  if (r.failed > 0) text += fmt::format("; {} slower or broken", r.failed);
  auto part = [&](std::int64_t n) { return n == 0 ? std::string("none") : std::to_string(n); };
  bool asked = question.bottleneck != Bottleneck::unknown && !question.bottleneck.empty();
  if (asked && r.unknown_bottleneck == r.n()) {
    text += "; their bottleneck is not recorded";
  } else if (asked) {
    text += fmt::format("; {} of them {}-bound", part(r.same_bottleneck), question.bottleneck);
  }
  if (!question.dtype.empty() && r.same_dtype < r.n())
    text += fmt::format("; {} of them {}{}", part(r.same_dtype), question.dtype,
                        r.dtypes.empty() ? "" : ", the others " + join(r.dtypes, "/"));
  return text;
}

std::string provenance(const Question& question, const Item& item, const Runs& runs) {
  const Counts& n = item.counts;
  std::string text;
  if (runs.n() > 0) text = runs_text(question, runs);
  if (n.reversed > 0)
    text += fmt::format("{}{} {} of the opposite change, read backwards", text.empty() ? "" : "; and ",
                        n.reversed, n.reversed == 1 ? "run" : "runs");
  if (text.empty())
    text = fmt::format("no record of it for {}{}: the playbook's judgement", question.family,
                       n.other_backends > 0 ? " with " + question.backend : "");
  if (n.in_process > 0)
    text += fmt::format("; {} timed in process, which weighs less",
                        n.in_process == n.n ? "all" : fmt::format("{} of them", n.in_process));
  if (n.other_backends > 0)
    text += fmt::format("; {} of other backends, which weigh a third", n.other_backends);
  return text;
}

}  // namespace

std::string arch_list(const std::vector<std::string>& archs) {
  std::string text;
  for (const std::string& arch : archs) {
    bool follows = !text.empty() && arch.starts_with("sm_") && text.starts_with("sm_");
    text += (text.empty() ? "" : "/") + (follows ? arch.substr(3) : arch);
  }
  return text;
}

std::vector<std::int64_t> nearest_records(const std::vector<Weighed>& cells) {
  std::vector<std::pair<double, const EvidenceRow*>> near;
  near.reserve(cells.size());
  for (const Weighed& c : cells) near.emplace_back(c.weight * (0.5 + c.situation / 2 + c.near), c.cell);
  // In order as far as it is asked for: a few of what may be thousands. The evidence is one vector, so that a
  // cell's address is its place.
  auto before = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  std::vector<std::int64_t> rids;
  for (auto at = near.begin(); at != near.end() && rids.size() < 3; ++at) {
    std::iter_swap(at, std::min_element(at, near.end(), before));
    for (std::int64_t rid : {at->second->last_rid, at->second->first_rid}) {
      if (rids.size() < 3 && std::find(rids.begin(), rids.end(), rid) == rids.end()) rids.push_back(rid);
    }
  }
  return rids;
}

std::pair<double, double> interval(const Item& item) {
  double a = item.p * item.strength, b = (1 - item.p) * item.strength;
  return {beta_quantile(0.1, a, b), beta_quantile(0.9, a, b)};
}

Item item_of(const Question& question, const std::string& id, const Strategy* known, const Match* m,
             const Account& account, const std::optional<Recalibration>& curve) {
  Item item;
  item.strategy = id;
  item.title = known != nullptr ? known->title : "(not in the playbook)";
  double prior_gain = std::log2(1.2);
  if (known != nullptr)
    prior_gain = (std::log2(known->prior.speedup_lo) + std::log2(known->prior.speedup_hi)) / 2;
  if (m != nullptr) {
    item.reasons = m->reasons, item.lacks = m->lacks, item.called_for = m->called_for;
    if (!m->meant) item.reasons.push_back(m->why_not);
  }
  item.p = account.p, item.p_failure = account.p_failure;
  item.strength = account.strength;
  item.ledger = account.lines;
  count(item, question, account.cells);
  item.confidence = confidence_of(item, account.effective);
  hold_back(item, m, known != nullptr && known->needs_signal);
  if (curve) recalibrate(item, *curve);
  fill_gain(item, question, account.cells, prior_gain);
  Runs runs = runs_of(question, account.cells);
  item.elsewhere = known != nullptr && among(known->bottlenecks, question.bottleneck) && runs.n() > 0 &&
                   runs.same_bottleneck + runs.unknown_bottleneck == 0;
  item.reasons.insert(item.reasons.begin(), provenance(question, item, runs));
  item.rids = nearest_records(account.cells);
  return item;
}

}  // namespace explog::recommend
