// How good the ranking would have been: every query is answered without the group it belongs to, and the
// answer is held against what each strategy really did.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/evidence.h"
#include "model/playbook.h"
#include "recommend/method_score.h"
#include "recommend/replay.h"

namespace explog::recommend {

enum class Split { gpu, arch, source, family, shape, time };
Split split_of(std::string_view name);  // throws std::out_of_range for another word

// Text that tells records of one group from others. `index` of `count`: the record's place in time.
std::string group_of(const Experience& e, Split split, std::size_t index, std::size_t count);

// What the playbook thinks before any evidence: a place in its order and a factor of the base rate.
struct OrderEntry {
  std::size_t place = 0;
  double factor = 1;
};
using PlaybookOrder = std::map<std::string, OrderEntry>;

struct BacktestInput {
  std::vector<Dated> train, test;
  Split split = Split::gpu;
  PlaybookOrder order;  // empty: the playbook's own priors
  const Playbook* playbook = nullptr;
  std::size_t least_candidates = 3;  // a query with fewer tried strategies is no ranking
  std::function<void(std::size_t asked, std::size_t of_all)> asked = {};  // told after every query
};

struct Ranked {
  std::string strategy;
  double p = 0;
};
struct Ranking {
  std::string query;
  std::vector<Ranked> strategies;
};

// Single records, for logs with few strategies a kernel.
struct SingleScore {
  std::size_t n = 0;
  double brier = 0, base_brier = 0;  // of explog, and of the base rate
  double auc = 0.5;                  // chance that a success has the higher p than another outcome
};

struct Backtest {
  std::size_t queries = 0, candidates = 0, clusters = 0;
  std::vector<MethodScore> methods;  // explog first
  std::vector<Ranking> rankings;     // explog's
  std::vector<std::string> flags;    // what the sources look like
  SingleScore single;
};

Backtest backtest(const BacktestInput& input);

}  // namespace explog::recommend
