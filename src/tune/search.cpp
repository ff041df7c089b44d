#include "tune/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "tune/predicted.h"

namespace explog::tune {
namespace {

constexpr std::size_t last_survivors = 5;  // of a halving

using RowList = std::vector<std::size_t>;

// The rows of this shard in order, the original first.
RowList rows_of_shard(std::size_t rows, const Shard& shard) {
  RowList list = {0};
  for (std::size_t row = 1; row < rows; ++row) {
    if ((row - 1) % shard.n == shard.k - 1) list.push_back(row);
  }
  return list;
}

// All but the original in an order that the seed decides: Fisher and Yates, the same with every library.
void shuffle(RowList& list, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = list.size(); i > 2; --i) std::swap(list[i - 1], list[1 + random() % (i - 1)]);
}

// What was found good elsewhere stands behind the original.
void put_first(RowList& list, const RowList& first) {
  std::size_t to = 1;
  for (std::size_t row : first) {
    auto it = std::find(list.begin() + 1, list.end(), row);
    if (it == list.end() || static_cast<std::size_t>(it - list.begin()) < to) continue;
    std::rotate(list.begin() + static_cast<std::ptrdiff_t>(to), it, it + 1);
    ++to;
  }
}

void cut(RowList& list, std::size_t most) {
  if (most > 0 && list.size() > most) list.resize(most);
}

RowList unknown_of(const RowList& list, std::span<const Outcome> outcomes) {
  RowList unknown;
  for (std::size_t row : list) {
    if (!outcomes[row].known()) unknown.push_back(row);
  }
  return unknown;
}

// The median of the first `n` measurements: later ones do not change what an earlier round decided.
double time_in_round(const Outcome& outcome, std::size_t n) {
  Outcome early = outcome;
  early.ms.resize(std::min(n, early.ms.size()));
  return time_of(early);
}

// Everybody once; then the better half twice as often, and so on to the last few.
RowList next_of_halving(RowList alive, std::span<const Outcome> outcomes) {
  for (std::size_t times = 1;; times *= 2) {
    RowList wanted;
    for (std::size_t row : alive) {
      if (!outcomes[row].failed && outcomes[row].ms.size() < times) wanted.push_back(row);
    }
    if (!wanted.empty() || alive.size() <= last_survivors) return wanted;
    std::stable_sort(alive.begin() + 1, alive.end(), [&](std::size_t a, std::size_t b) {
      return time_in_round(outcomes[a], times) < time_in_round(outcomes[b], times);
    });
    alive.resize(std::max(last_survivors, (alive.size() + 1) / 2));
  }
}

// The walk of a local search: from the original to the best neighbour while that is better, then again from
// rows that the seed chooses.
class Walk {
 public:
  Walk(const Space& space, std::span<const Configuration> rows, std::span<const Outcome> outcomes,
       const Plan& plan)
      : rows_(rows), outcomes_(outcomes), plan_(plan) {
    for (std::size_t row = 0; row < rows.size(); ++row) index_.emplace(rows[row], row);
    for (const Parameter& p : space.parameters) ranks_.push_back(order_of(p));
  }

  RowList next() {
    RowList starts = rows_of_shard(rows_.size(), {});
    shuffle(starts, plan_.seed);
    put_first(starts, plan_.first);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      std::size_t start = starts[i];
      if (seen_.contains(start)) continue;
      if (i > plan_.first.size() && plan_.most == 0) break;
      if (i > 0 && full()) break;
      RowList wanted = climb(start);
      if (!wanted.empty()) return wanted;
    }
    return {};
  }

 private:
  // Numbers of a parameter's values from the smallest to the largest.
  static std::vector<std::uint32_t> order_of(const Parameter& p) {
    std::vector<std::uint32_t> order(p.values.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      return as_number(p.values[a]).value_or(0) < as_number(p.values[b]).value_or(0);
    });
    return order;
  }

  bool full() const { return plan_.most > 0 && seen_.size() >= plan_.most; }

  // What must be known before the climb from here can go on; empty when it ended.
  RowList climb(std::size_t at) {
    if (RowList wanted = visit({at}); !wanted.empty()) return wanted;
    while (true) {
      RowList around = neighbours(at);
      if (RowList wanted = visit(around); !wanted.empty()) return wanted;
      std::size_t best = at;
      for (std::size_t row : around) {
        if (seen_.contains(row) && time_of(outcomes_[row]) < time_of(outcomes_[best])) best = row;
      }
      if (best == at) return {};
      at = best;
    }
  }

  RowList visit(const RowList& list) {
    RowList wanted;
    for (std::size_t row : list) {
      if (seen_.contains(row) || full()) continue;
      seen_.insert(row);
      if (!outcomes_[row].known()) wanted.push_back(row);
    }
    return wanted;
  }

  // One knob one step up or down.
  RowList neighbours(std::size_t row) const {
    RowList list;
    Configuration c = rows_[row];
    for (std::size_t i = 0; i < c.size(); ++i) {
      const auto& order = ranks_[i];
      std::uint32_t own = c[i];
      std::size_t rank = static_cast<std::size_t>(std::find(order.begin(), order.end(), own) - order.begin());
      for (std::size_t other : {rank - 1, rank + 1}) {
        if (other >= order.size()) continue;
        c[i] = order[other];
        if (auto it = index_.find(c); it != index_.end()) list.push_back(it->second);
      }
      c[i] = own;
    }
    return list;
  }

  std::span<const Configuration> rows_;
  std::span<const Outcome> outcomes_;
  const Plan& plan_;
  std::map<Configuration, std::size_t> index_;
  std::vector<std::vector<std::uint32_t>> ranks_;  // of each parameter
  std::set<std::size_t> seen_;
};

}  // namespace

std::string_view word(Strategy strategy) {
  constexpr std::string_view words[] = {"exhaustive", "halving", "local", "random", "predicted"};
  return words[static_cast<std::size_t>(strategy)];
}

double time_of(const Outcome& outcome) {
  if (outcome.failed || outcome.ms.empty()) return std::numeric_limits<double>::infinity();
  std::vector<double> ms = outcome.ms;
  std::sort(ms.begin(), ms.end());
  return (ms[ms.size() / 2] + ms[(ms.size() - 1) / 2]) / 2;
}

std::vector<std::size_t> next_rows(const Space& space, std::span<const Configuration> rows,
                                   std::span<const Outcome> outcomes, const Plan& plan) {
  if (plan.strategy == Strategy::local) return Walk(space, rows, outcomes, plan).next();
  RowList list = rows_of_shard(rows.size(), plan.shard);
  if (plan.strategy == Strategy::predicted) return next_of_predicted(space, rows, list, outcomes, plan);
  if (plan.strategy == Strategy::random || plan.strategy == Strategy::halving) shuffle(list, plan.seed);
  put_first(list, plan.first);
  cut(list, plan.most);
  if (plan.strategy == Strategy::halving) return next_of_halving(list, outcomes);
  return unknown_of(list, outcomes);
}

std::vector<std::size_t> finalists(std::span<const Outcome> outcomes, std::size_t most) {
  RowList list;
  for (std::size_t row = 1; row < outcomes.size(); ++row) {
    double ms = time_of(outcomes[row]);
    if (ms < time_of(outcomes[0]) && !std::isinf(ms)) list.push_back(row);
  }
  std::stable_sort(list.begin(), list.end(),
                   [&](std::size_t a, std::size_t b) { return time_of(outcomes[a]) < time_of(outcomes[b]); });
  cut(list, most);
  return list;
}

}  // namespace explog::tune
