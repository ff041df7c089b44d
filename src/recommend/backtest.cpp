#include "recommend/backtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "model/kernel_type.h"
#include "model/vocabulary.h"
#include "recommend/prior.h"

namespace explog::recommend {
namespace {

constexpr std::size_t method_count = 7;
constexpr const char* method_names[method_count] = {"explog",      "random", "static", "strategy rate",
                                                    "family rate", "wilson", "knn"};
enum Method { explog_method, random_order, static_order, strategy_rate, family_rate, wilson_bound, knn };

constexpr std::size_t time_folds = 5;

struct Candidate {
  std::string strategy;
  Realised outcome;
};

struct Query {
  std::string name, cluster, group;
  Question question;
  std::vector<Candidate> candidates;
};

Realised realised(const Experience& e) {
  bool ran = e.speedup && (e.outcome != Outcome::failure || e.cause.empty() || e.cause == Cause::regression);
  return {e.outcome == Outcome::success, e.outcome == Outcome::failure, ran ? std::log2(*e.speedup) : 0};
}

// What was tried on one kernel: by the source it started from, or else by everything that describes it.
std::string query_name(const Experience& e) {
  if (!e.source_before.empty()) return e.source_before;
  std::string name = e.kernel_type + "/" + e.kernel + "/" + e.gpu + "/" + e.arch + "/" + e.backend + "/" +
                     e.dtype + "/" + e.bottleneck;
  for (const Facts* facts : {&e.shape, &e.state}) name += "/" + feature_key(features(*facts, {}), 1);
  return name;
}

std::vector<Query> queries_of(const std::vector<Dated>& test, Split split) {
  std::map<std::string, Query> by_name;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const Experience& e = test[i].record;
    if (e.strategy.empty()) continue;
    std::string group = group_of(e, split, i, test.size());
    Query& q = by_name[e.kernel + "/" + e.gpu + "\n" + query_name(e) + "\n" + group];
    if (q.candidates.empty()) {
      q.name = query_name(e), q.group = group, q.question = question_of(e);
      q.cluster = (e.kernel.empty() ? e.kernel_type : e.kernel) + "/" + e.gpu;
    }
    bool again = std::any_of(q.candidates.begin(), q.candidates.end(),
                             [&](const Candidate& c) { return c.strategy == e.strategy; });
    if (!again) q.candidates.push_back({e.strategy, realised(e)});
  }
  std::vector<Query> list;
  for (auto& [name, q] : by_name) list.push_back(std::move(q));
  return list;
}

struct FamilyRate {
  double n = 0, success = 0;
  void add(const Cell& c) { n += static_cast<double>(c.n()), success += static_cast<double>(c.success); }
};

// The evidence without one group: counts for the baselines, ledgers made when they are asked for.
class Evidence {
 public:
  Evidence(const std::vector<Cell>& cells, const std::vector<std::string>& groups,
           const std::string& left_out, Split split) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      bool later = split == Split::time && groups[i] > left_out;
      if (groups[i] == left_out || later) continue;
      families_[cells[i].family].push_back(cells[i]);
      if (cells[i].reversed) continue;
      all_.add(cells[i]);
      strategy_[cells[i].strategy].add(cells[i]);
      family_[{cells[i].family, cells[i].strategy}].add(cells[i]);
    }
  }
  double base() const { return (all_.success + 1) / (all_.n + 3); }
  double by_strategy(const std::string& s) { return (strategy_[s].success + base()) / (strategy_[s].n + 1); }
  FamilyRate of_family(const std::string& f, const std::string& s) { return family_[{f, s}]; }
  double by_family(const std::string& f, const std::string& s) {
    return (family_[{f, s}].success + base()) / (family_[{f, s}].n + 1);
  }
  const Ledger& ledger(const Question& c) {
    auto& made = ledgers_[c.family + "\n" + c.arch + "\n" + c.backend];
    if (!made) made = std::make_unique<Ledger>(families_[c.family], c.arch, c.backend);
    return *made;
  }
  // Mean log2 gain of the 15 records nearest to the state, over all features alike.
  double nearest_gain(const Question& c, const std::string& strategy) {
    std::vector<std::pair<double, double>> near;  // distance, gain
    Facts point = features(c.state, c.metrics);
    for (const Cell& cell : families_[c.family]) {
      if (cell.strategy != strategy || cell.reversed) continue;
      double distance = 0;
      for (const auto& [name, value] : parse_feature_key(cell.state)) {
        auto known = fact(point, name);
        distance += known ? (*known - value) * (*known - value) : 1;
      }
      near.emplace_back(distance, static_cast<double>(cell.gain_sum + cell.loss_sum) / 1e4 -
                                      static_cast<double>(cell.broken));
    }
    std::size_t k = std::min<std::size_t>(15, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(k), near.end());
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += near[i].second;
    return k == 0 ? 0 : sum / static_cast<double>(k);
  }

 private:
  std::map<std::string, std::vector<Cell>> families_;
  FamilyRate all_;
  std::map<std::string, FamilyRate> strategy_;
  std::map<std::pair<std::string, std::string>, FamilyRate> family_;
  std::map<std::string, std::unique_ptr<Ledger>> ledgers_;
};

struct Believed {
  double prior = 0, records = 1;
  double place = 0;  // in the playbook's order, smaller is earlier
};

// By the order where one is given, else by the playbook's `prior` for the query.
Believed believed(const PlaybookOrder& order, const std::optional<Prior>& prior, const std::string& strategy,
                  double base) {
  if (prior) return {prior->of(strategy), prior->believed(strategy), 1 - prior->of(strategy)};
  auto known = order.find(strategy);
  if (known == order.end()) return {base, 1, static_cast<double>(order.size())};
  return {std::min(0.95, known->second.factor * base), 1, static_cast<double>(known->second.place)};
}

// A random but repeatable number of two texts.
double shuffled(const std::string& a, const std::string& b) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a
  for (const std::string* text : {&a, &b}) {
    for (unsigned char c : *text) h = (h ^ c) * 1099511628211u;
  }
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  return static_cast<double>((h ^ (h >> 33)) >> 11) / 9007199254740992.0;
}

// One candidate by every method: what it is ordered by, and the probability where there is one.
struct Scores {
  std::array<double, method_count> order{}, p{};
  double place = 0;
};

Scores scores_of(const Query& q, const std::string& strategy, const Believed& b, const Ledger& ledger,
                 Evidence& evidence) {
  Scores s;
  s.place = b.place;
  const std::string& family = q.question.family;
  double p = ledger.account(strategy, q.question, b.prior, b.records).p;
  FamilyRate rate = evidence.of_family(family, strategy);
  s.p = {p, 0, b.prior, evidence.by_strategy(strategy), evidence.by_family(family, strategy), 0, 0};
  s.order = s.p;
  s.order[random_order] = shuffled(q.name + q.cluster, strategy);
  s.order[static_order] = -b.place;
  s.order[wilson_bound] = wilson_interval(rate.success, rate.n)[0];
  s.order[knn] = evidence.nearest_gain(q.question, strategy);
  return s;
}

std::vector<std::size_t> ordered(const std::vector<Scores>& scores, std::size_t method) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    double x = scores[a].order[method], y = scores[b].order[method];
    return x != y ? x > y : scores[a].place < scores[b].place;
  });
  return order;
}

// Sources that look like noise, like the opposite of all others, or too good.
void flag_sources(const std::vector<Cell>& cells, std::vector<std::string>& flags) {
  std::map<std::string, std::vector<Cell>> families;
  for (const Cell& cell : cells) families[cell.family].push_back(cell);
  for (const auto& [family, own] : families) {
    Similarity similarity(own, own.front().arch, own.front().backend);
    for (const Similarity::Source& s : similarity.sources()) {
      if (s.records < 30 || similarity.sources().size() < 3) continue;
      if (s.skill < -0.1)
        flags.push_back(
            fmt::format("{}, {}: contradicts the others (skill {:.2f})", family, s.name, s.skill));
      else if (s.trust < 0.5)
        flags.push_back(fmt::format("{}, {}: little skill, weighs {:.2f}", family, s.name, s.trust));
      if (s.odds_ratio > 2)
        flags.push_back(
            fmt::format("{}, {}: succeeds {:.1f} times as often as the others foresee: are its "
                        "failures recorded?",
                        family, s.name, s.odds_ratio));
    }
  }
}

// The cells of the records to learn from, each with the group it belongs to.
struct Grouped {
  std::vector<Cell> cells;
  std::vector<std::string> groups;
};

Grouped grouped(const std::vector<Dated>& train, Split split) {
  Grouped all;
  for (std::size_t i = 0; i < train.size(); ++i) {
    const Experience& e = train[i].record;
    for (Cell& cell : cells_of(e)) {
      if (cell.strategy.empty()) continue;
      cell.source = group_of(e, Split::source, 0, 0);
      all.cells.push_back(std::move(cell));
      all.groups.push_back(group_of(e, split, i, train.size()));
    }
  }
  return all;
}

// Asks the queries one after the other and adds up what came of it.
class Asking {
 public:
  explicit Asking(const BacktestInput& input) : input_(input), sums_(method_count) {}

  void ask(const Query& q, Evidence& evidence) {
    std::vector<Scores> scores = scores_of_all(q, evidence);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      double success = q.candidates[i].outcome.success;
      singles_.emplace_back(scores[i].p[explog_method], success > 0);
      blind_ += (success - evidence.base()) * (success - evidence.base());
    }
    if (q.candidates.size() < input_.least_candidates) return;
    ++result_.queries, result_.candidates += q.candidates.size();
    clusters_.insert(q.cluster);
    for (std::size_t method = 0; method < method_count; ++method) add(sums_[method], method, q, scores);
    Ranking ranking{q.name, {}};
    for (std::size_t i : ordered(scores, explog_method))
      ranking.strategies.push_back({q.candidates[i].strategy, scores[i].p[explog_method]});
    result_.rankings.push_back(std::move(ranking));
  }

  Backtest result() {
    result_.clusters = clusters_.size();
    for (std::size_t method = 0; method < method_count; ++method) {
      MethodScore& score = result_.methods.emplace_back(score_of(sums_[method], sums_[family_rate]));
      score.name = method_names[method];
      score.has_probability = method != random_order && method != wilson_bound && method != knn;
    }
    auto n = static_cast<double>(singles_.size());
    result_.single.n = singles_.size();
    for (auto [p, y] : singles_) result_.single.brier += (p - y) * (p - y) / n;
    result_.single.base_brier = singles_.empty() ? 0 : blind_ / n;
    result_.single.auc = area(singles_);
    return std::move(result_);
  }

 private:
  std::vector<Scores> scores_of_all(const Query& q, Evidence& evidence) const {
    const Ledger& ledger = evidence.ledger(q.question);
    std::optional<Prior> prior;
    if (input_.order.empty()) prior.emplace(input_.playbook, q.question, ledger);
    std::vector<Scores> scores;
    for (const Candidate& c : q.candidates) {
      Believed b = believed(input_.order, prior, c.strategy, evidence.base());
      scores.push_back(scores_of(q, c.strategy, b, ledger, evidence));
    }
    return scores;
  }

  static void add(MethodSums& sums, std::size_t method, const Query& q, const std::vector<Scores>& scores) {
    std::vector<Realised> ranked;
    for (std::size_t i : ordered(scores, method)) ranked.push_back(q.candidates[i].outcome);
    sums.by_cluster[q.cluster].push_back(quality_of(ranked));
    for (std::size_t i = 0; i < scores.size(); ++i)
      sums.add_candidate(q.cluster, scores[i].p[method], q.candidates[i].outcome.success);
  }

  const BacktestInput& input_;
  Backtest result_;
  std::vector<MethodSums> sums_;  // by method
  std::vector<std::pair<double, bool>> singles_;
  double blind_ = 0;  // squared errors of the base rate
  std::set<std::string> clusters_;
};

}  // namespace

std::string group_of(const Experience& e, Split split, std::size_t index, std::size_t count) {
  switch (split) {
    case Split::gpu:
      return e.gpu.empty() ? e.arch : e.gpu;
    case Split::arch:
      return e.arch;
    case Split::source:
      return e.source.empty() ? e.kernel + "/" + e.gpu : e.source;
    case Split::shape:
      return feature_key(features(e.shape, {}), 1);
    case Split::family:
      return family_of(e.kernel_type);
    case Split::time:
      return std::to_string(index * time_folds / std::max<std::size_t>(1, count));
  }
  return "";
}

Split split_of(std::string_view name) {
  static const std::map<std::string_view, Split> names = {
      {"gpu", Split::gpu},       {"arch", Split::arch},   {"source", Split::source},
      {"family", Split::family}, {"shape", Split::shape}, {"time", Split::time}};
  return names.at(name);
}

Backtest backtest(const BacktestInput& input) {
  Grouped train = grouped(input.train, input.split);
  std::vector<Query> queries = queries_of(input.test, input.split);
  std::size_t asked = 0, all = queries.size();
  std::map<std::string, std::vector<Query>> by_group;
  for (Query& q : queries) by_group[q.group].push_back(std::move(q));
  Asking asking(input);
  for (auto& [group, of_group] : by_group) {
    Evidence evidence(train.cells, train.groups, group, input.split);
    for (const Query& q : of_group) {
      asking.ask(q, evidence);
      if (input.asked) input.asked(++asked, all);
    }
  }
  Backtest result = asking.result();
  flag_sources(train.cells, result.flags);
  return result;
}

}  // namespace explog::recommend
