#include "recommend/backtest.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "recommend/ranking_metrics.h"

using namespace explog;

TEST_CASE("ranking figures on an example worked by hand") {
  // 2x, 0.5x, 1.2x in this order.
  auto q = recommend::quality_of({{true, false, 1}, {false, true, -1}, {true, false, std::log2(1.2)}});
  CHECK(q.succ1 == 1);
  CHECK(q.regret1 == doctest::Approx(0));
  double dcg = 1 + std::log2(1.2) / 2, best = 1 + std::log2(1.2) / std::log2(3);
  CHECK(q.ndcg5 == doctest::Approx(dcg / best));
  q = recommend::quality_of({{false, true, -1}, {true, false, 1}});
  CHECK(q.succ1 == 0);
  CHECK(q.hit3 == 1);
  CHECK(q.mrr == 0.5);
  CHECK(q.harm1 == 1);
  CHECK(q.regret1 == doctest::Approx(0.5));
  CHECK_FALSE(recommend::quality_of({{false, false, 0}}).has_success);
}

TEST_CASE("calibration and bootstrap") {
  CHECK(recommend::calibration_error({0.25, 0.25, 0.25, 0.25}, {true, false, false, false}) ==
        doctest::Approx(0));
  CHECK(recommend::calibration_error({0.9, 0.9}, {false, false}) == doctest::Approx(0.9));
  auto [lo, hi] = recommend::bootstrap_mean({0.1, 0.2, 0.3, 0.4});
  CHECK(lo > 0.1);
  CHECK(hi < 0.4);
  CHECK(recommend::bootstrap_mean({0.1, 0.2, 0.3, 0.4}) == recommend::bootstrap_mean({0.1, 0.2, 0.3, 0.4}));
}

namespace {

// Three cards of two archs: `good` helps everywhere, `bad` never, `fickle` only with a large block.
std::vector<recommend::Dated> example() {
  std::vector<recommend::Dated> list;
  for (auto [gpu, arch] : {std::pair("A", "sm_80"), {"B", "sm_80"}, {"C", "sm_90"}}) {
    for (int base = 0; base < 12; ++base) {
      for (const char* strategy : {"bad", "fickle", "good"}) {
        Experience e;
        e.kernel_type = "gemm", e.kernel = "k", e.gpu = gpu, e.arch = arch, e.backend = "cuda";
        e.bottleneck = "unknown", e.level = "measured", e.strategy = strategy;
        e.state = {{"block_x", base % 2 == 0 ? 32.0 : 256.0}};
        e.source_before = std::string(gpu) + "/" + std::to_string(base);
        bool fickle_helps = base % 2 == 1;
        double speedup = strategy[0] == 'g' ? 1.2 : strategy[0] == 'b' ? 0.8 : fickle_helps ? 2 : 0.5;
        e.speedup = speedup, e.outcome = speedup > 1 ? "success" : "failure";
        list.push_back({std::move(e), 0});
      }
    }
  }
  return list;
}

}  // namespace

TEST_CASE("a backtest leaves the group out and finds what the state decides") {
  recommend::BacktestInput input;
  input.train = input.test = example();
  input.order = {{"bad", {0, 1.3}}, {"fickle", {1, 1}}, {"good", {2, 0.85}}};
  std::size_t told = 0;
  input.asked = [&](std::size_t asked, std::size_t of_all) {
    CHECK(asked == ++told);
    CHECK(of_all == 36);
  };
  auto r = recommend::backtest(input);
  CHECK(told == 36);
  CHECK(r.queries == 36);
  CHECK(r.candidates == 108);
  CHECK(r.clusters == 3);
  auto score = [&](const std::string& name) {
    for (const auto& m : r.methods) {
      if (m.name == name) return m;
    }
    return recommend::MethodScore{};
  };
  CHECK(score("static").succ1 == 0);  // `bad` first
  CHECK(score("family rate").succ1 == 1);
  CHECK(score("explog").brier < score("family rate").brier / 2);  // it knows which block is large
  CHECK(score("explog").brier < 0.05);
  CHECK(r.single.auc > 0.95);
}

TEST_CASE("without the family the order is the playbook's to the last query") {
  recommend::BacktestInput input;
  input.train = input.test = example();
  input.order = {{"bad", {0, 1.3}}, {"fickle", {1, 1}}, {"good", {2, 0.85}}};
  input.split = recommend::Split::family;
  auto r = recommend::backtest(input);
  REQUIRE(r.rankings.size() == 36);
  for (const auto& ranking : r.rankings) {
    CHECK(ranking.strategies[0].strategy == "bad");
    CHECK(ranking.strategies[2].strategy == "good");
  }
}

TEST_CASE("the order of the records changes nothing") {
  recommend::BacktestInput input;
  input.train = input.test = example();
  auto a = recommend::backtest(input);
  std::reverse(input.train.begin(), input.train.end());
  auto b = recommend::backtest(input);
  REQUIRE(a.rankings.size() == b.rankings.size());
  for (std::size_t i = 0; i < a.rankings.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(a.rankings[i].strategies[k].strategy == b.rankings[i].strategies[k].strategy);
      CHECK(a.rankings[i].strategies[k].p == doctest::Approx(b.rankings[i].strategies[k].p).epsilon(1e-12));
    }
  }
}
