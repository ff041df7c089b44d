#include "recommend/reliability.h"

#include <doctest/doctest.h>

#include <cmath>

#include "model/claim.h"
#include "recommend/rank.h"

using namespace explog;
using recommend::Forecast;

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double logit(double p) { return std::log(p / (1 - p)); }

// For every p of a grid 200 outcomes, of which `truth(p)` are successes.
template <typename Truth>
std::vector<Forecast> outcomes(const Truth& truth) {
  std::vector<Forecast> list;
  for (int i = 0; i < 200; ++i) {
    for (double p = 0.05; p < 1; p += 0.1) list.push_back({p, (i + 0.5) / 200 < truth(p)});
  }
  return list;
}

std::vector<recommend::Dated> history(int n, const std::string& strategy, bool helps) {
  std::vector<recommend::Dated> list;
  for (int i = 0; i < n; ++i) {
    Experience e;
    e.kernel_type = "gemm", e.backend = "cuda", e.arch = "sm_90", e.strategy = strategy;
    e.latency_before_ms = 1, e.latency_after_ms = helps ? 0.5 : 2;
    prepare(e, "measured");
    list.push_back({e, 0});
  }
  return list;
}

}  // namespace

TEST_CASE("true probabilities need no recalibration") {
  auto r = recommend::reliability(outcomes([](double p) { return p; }));
  CHECK(r.n == 2000);
  CHECK(r.bins[3].n == 200);
  CHECK(r.bins[3].mean_p == doctest::Approx(0.35));
  CHECK(r.bins[3].success == 70);
  CHECK(r.ece < 0.001);
  CHECK_FALSE(recommend::needs_recalibration(r));
}

TEST_CASE("a logistic distortion is found and taken back") {
  auto r = recommend::reliability(outcomes([](double p) { return sigmoid(0.7 + 1.8 * logit(p)); }));
  REQUIRE(r.fit);
  CHECK(r.fit->a == doctest::Approx(0.7).epsilon(0.03));
  CHECK(r.fit->b == doctest::Approx(1.8).epsilon(0.03));
  CHECK(r.ece > 0.1);
  CHECK(r.fitted_ece < 0.01);
  CHECK(recommend::needs_recalibration(r));
  CHECK((*r.fit)(0.5) == doctest::Approx(sigmoid(0.7)).epsilon(0.03));
}

TEST_CASE("few outcomes, or such as contradict every probability, get no curve") {
  CHECK_FALSE(recommend::reliability(std::vector<Forecast>(99, {0.9, false})).fit);
  CHECK_FALSE(recommend::reliability(outcomes([](double p) { return 1 - p; })).fit);
  CHECK(recommend::reliability({}).n == 0);
}

TEST_CASE("each record is foreseen from those before it, never from itself") {
  auto records = history(30, "house_trick", true);
  auto first = recommend::forecasts(records, Playbook::load(""), 30);
  REQUIRE(first.size() == 30);
  CHECK(first[0].p <= 0.5);               // nothing known yet
  CHECK(first[29].p > first[0].p + 0.3);  // thirty successes later
  auto failures = history(1, "house_trick", false);
  records.push_back(failures[0]);
  auto newest = recommend::forecasts(records, Playbook::load(""), 1);
  REQUIRE(newest.size() == 1);
  CHECK_FALSE(newest[0].success);
  CHECK(newest[0].p > 0.8);  // its own failure was not yet known
}

TEST_CASE("a recalibration bends probabilities and leaves the order") {
  Playbook playbook = Playbook::load("");
  Question c;
  c.kernel_type = c.family = "gemm", c.backend = "cuda", c.arch = "sm_90", c.bottleneck = "memory";
  auto plain = recommend::rank(c, {}, playbook);
  auto bent = recommend::rank(c, {}, playbook, recommend::Order::success, recommend::Recalibration{-1, 0.5});
  REQUIRE(plain.items.size() == bent.items.size());
  for (std::size_t i = 0; i < plain.items.size(); ++i) {
    CHECK(plain.items[i].strategy == bent.items[i].strategy);
    CHECK(bent.items[i].p == doctest::Approx(sigmoid(-1 + 0.5 * logit(plain.items[i].p))));
    CHECK(bent.items[i].p + bent.items[i].p_failure <= 1 + 1e-12);
  }
}
