#include "recommend/ordering.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace explog::recommend {
namespace {

constexpr std::int64_t enough_tried = 4;
constexpr double never_succeeded = 0.6;  // of the chance of what was tried and never helped

bool proven(const Item& item, double base_rate) {
  const Counts& n = item.counts;
  return !item.avoid && n.n >= enough_tried &&
         static_cast<double>(n.success) >= base_rate * static_cast<double>(n.n);
}

void hold_behind_the_proven(std::vector<Item>& items, double base_rate) {
  const Item* least = nullptr;
  for (const Item& item : items) {
    if (proven(item, base_rate) && (least == nullptr || item.score < least->score)) least = &item;
  }
  if (least == nullptr) return;
  double limit = std::nextafter(least->score, -1);
  for (Item& item : items) {
    if (!item.prior_only() || item.called_for || item.score <= limit) continue;
    item.score = limit;
    item.reasons.push_back("stands behind what was tried: nobody has tried it here");
  }
}

std::vector<const Strategy*> known_of(const std::vector<Item>& items, const Playbook& playbook) {
  std::vector<const Strategy*> known;
  known.reserve(items.size());
  for (const Item& item : items) known.push_back(playbook.find(item.strategy));
  return known;
}

using ById = std::map<std::string_view, const Item*>;

// Whether the answer has what comes first.
bool hold_behind(Item& item, const ById& by_id, const std::string& first) {
  auto found = by_id.find(first);
  if (found == by_id.end()) return false;
  item.score = std::min(item.score, std::nextafter(found->second->score, -1));
  return true;
}

// Chains settle in as many rounds as they are long.
void hold_behind_what_comes_first(std::vector<Item>& items, const Playbook& playbook) {
  ById by_id;
  for (const Item& item : items) {
    if (!item.avoid) by_id[item.strategy] = &item;
  }
  constexpr int longest_chain = 4;
  std::vector<const Strategy*> known = known_of(items, playbook);
  for (int round = 0; round < longest_chain; ++round) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (known[i] == nullptr) continue;
      for (const std::string& first : items[i].lacks) hold_behind(items[i], by_id, first);
      for (const std::string& first : known[i]->after) {
        if (hold_behind(items[i], by_id, first) && round == 0)
          items[i].reasons.push_back("comes after " + first);
      }
    }
  }
}

// The newer way to do the same: it has the older one's place, whose records speak for it.
void put_in_front_of_the_older(std::vector<Item>& items, const Playbook& playbook, const std::string& dtype) {
  std::vector<const Strategy*> known = known_of(items, playbook);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Strategy* newer = known[i];
    if (newer == nullptr || items[i].avoid || !items[i].lacks.empty()) continue;
    if (!among(newer->dtypes, dtype)) continue;
    for (Item& older : items) {
      if (!among(newer->supersedes, older.strategy)) continue;
      items[i].score = std::max(items[i].score, older.score);
      older.score = std::min(older.score, std::nextafter(items[i].score, -1));
      older.reasons.push_back(items[i].strategy + " does the same here");
    }
  }
}

void sort_by_score(std::vector<Item>& items) {
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    if (a.avoid != b.avoid) return b.avoid;
    if (a.score != b.score) return a.score > b.score;
    if (a.p != b.p) return a.p > b.p;
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.strategy < b.strategy;
  });
}

void no_failure_first(std::vector<Item>& items) {
  auto failed = [](const Item& item) { return item.counts.n > 0 && item.counts.success == 0; };
  if (items.empty() || !failed(items.front())) return;
  auto other =
      std::find_if(items.begin(), items.end(), [&](const Item& i) { return !failed(i) && !i.avoid; });
  if (other == items.end()) return;
  double limit = std::nextafter(other->score, -1);
  for (auto item = items.begin(); item != other; ++item) item->score = std::min(item->score, limit);
  std::rotate(items.begin(), other, other + 1);
}

void mark_conflicts(std::vector<Item>& items, const Playbook& playbook) {
  std::vector<const Strategy*> known = known_of(items, playbook);
  auto names = [&](std::size_t a, std::size_t b) {
    return known[a] != nullptr && std::find(known[a]->conflicts.begin(), known[a]->conflicts.end(),
                                            items[b].strategy) != known[a]->conflicts.end();
  };
  for (std::size_t lower = 0; lower < items.size(); ++lower) {
    for (std::size_t upper = 0; upper < lower && items[lower].conflict.empty(); ++upper) {
      if (names(lower, upper) || names(upper, lower)) items[lower].conflict = items[upper].strategy;
    }
  }
}

}  // namespace

void put_in_order(std::vector<Item>& items, const Playbook& playbook, const Rules& rules) {
  for (Item& item : items) {
    item.score = rules.by_gain ? item.expected : item.p;
    bool failed = item.counts.n > 0 && item.counts.success == 0;
    if (failed && !item.elsewhere && !rules.by_gain) item.score *= never_succeeded;
  }
  if (!rules.by_gain) hold_behind_the_proven(items, rules.base_rate);
  put_in_front_of_the_older(items, playbook, rules.dtype);
  hold_behind_what_comes_first(items, playbook);
  sort_by_score(items);
  if (!rules.by_gain) no_failure_first(items);
  mark_conflicts(items, playbook);
}

}  // namespace explog::recommend
