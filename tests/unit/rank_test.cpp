#include "recommend/rank.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "recommend/beta.h"

using namespace explog;
using recommend::Item;

namespace {

Context softmax_on_h200() {
  Context c;
  c.kernel_type = c.family = "softmax";
  c.backend = "cuda";
  c.arch = "sm_90";
  c.bottleneck = "memory";
  return c;
}

Cell cell(const std::string& strategy, std::int64_t success, std::int64_t neutral, std::int64_t failure,
          const std::string& arch = "sm_90") {
  Cell c;
  c.strategy = strategy;
  c.backend = "cuda";
  c.arch = arch;
  c.bottleneck = "memory";
  c.level = "measured";
  c.success = success;
  c.neutral = neutral;
  c.failure = failure;
  c.first_rid = c.last_rid = 1;
  return c;
}

const Item& item(const recommend::Recommendation& r, const std::string& strategy) {
  auto it =
      std::find_if(r.items.begin(), r.items.end(), [&](const Item& i) { return i.strategy == strategy; });
  REQUIRE(it != r.items.end());
  return *it;
}

}  // namespace

TEST_CASE("beta quantiles agree with known values") {
  CHECK(recommend::beta_cdf(0.5, 2, 2) == doctest::Approx(0.5));
  CHECK(recommend::beta_cdf(0.3, 1, 1) == doctest::Approx(0.3));
  CHECK(recommend::beta_cdf(0.2, 2, 5) == doctest::Approx(0.34464));  // 1 - 0.8^6 - 6 x 0.2 x 0.8^5
  CHECK(recommend::beta_quantile(0.9, 1, 3) == doctest::Approx(1 - std::cbrt(0.1)));
  for (double p : {0.01, 0.5, 0.99})
    CHECK(recommend::beta_cdf(recommend::beta_quantile(p, 3.5, 12), 3.5, 12) == doctest::Approx(p));
}

TEST_CASE("without evidence the order is the playbook's, evidence of other families changes nothing") {
  Playbook playbook = Playbook::load("");
  auto r = recommend::rank(softmax_on_h200(), {}, playbook);
  CHECK(r.status == "no_evidence");
  CHECK(r.items.size() > 20);
  CHECK(
      std::is_sorted(r.items.begin(), r.items.end(), [](const Item& a, const Item& b) { return a.p > b.p; }));
}

TEST_CASE("successes raise, failures lower, and more of them weigh more") {
  Playbook playbook = Playbook::load("");
  auto p = [&](std::vector<Cell> cells) {
    return item(recommend::rank(softmax_on_h200(), cells, playbook), "loop_unroll").p;
  };
  double none = p({});
  CHECK(p({cell("loop_unroll", 3, 0, 0)}) > none);
  CHECK(p({cell("loop_unroll", 30, 0, 0)}) > p({cell("loop_unroll", 3, 0, 0)}));
  CHECK(p({cell("loop_unroll", 0, 0, 3)}) < none);
  CHECK(p({cell("loop_unroll", 0, 3, 0)}) < none);
  CHECK(p({cell("loop_unroll", 10, 0, 0, "sm_90")}) > p({cell("loop_unroll", 10, 0, 0, "sm_75")}));
}

TEST_CASE("the rate comes from the ledger: children's counts are taken out of the parent") {
  Cell here = cell("house_trick", 6, 2, 0), elsewhere = cell("house_trick", 1, 9, 0);
  elsewhere.bottleneck = "compute";
  auto r = recommend::rank(softmax_on_h200(), {here, elsewhere}, Playbook::load(""));
  const Item& i = item(r, "house_trick");
  double prior = i.ledger[0].p;
  double parent = (1 + 4 * prior) / (10 + 4);
  CHECK(i.ledger[1].n == doctest::Approx(10));
  CHECK(i.ledger[1].p == doctest::Approx(parent));
  CHECK(i.p == doctest::Approx((6 + 4 * parent) / (8 + 4)));
  auto [lo, hi] = recommend::interval(i);
  CHECK(lo < i.p);
  CHECK(hi > i.p);
}

TEST_CASE("a strategy that keeps failing here is listed last, with the reason, never hidden") {
  Cell failed = cell("loop_unroll", 0, 0, 12);
  failed.broken = 12;
  auto r = recommend::rank(softmax_on_h200(), {failed}, Playbook::load(""));
  CHECK(r.items.back().strategy == "loop_unroll");
  CHECK(r.items.back().avoid);
  REQUIRE(r.avoid.size() == 1);
  CHECK(r.avoid[0].reason.find("12 times") != std::string::npos);
  // Far away, the same failures are no verdict.
  Cell far = cell("loop_unroll", 0, 0, 12, "sm_75");
  CHECK(recommend::rank(softmax_on_h200(), {far}, Playbook::load("")).avoid.empty());
}

TEST_CASE("aliases count for their strategy, claimed records weigh less") {
  Playbook playbook = Playbook::load("");
  const Strategy* s = playbook.find("loop_unroll");
  REQUIRE(s != nullptr);
  REQUIRE(!s->aliases.empty());
  auto r = recommend::rank(softmax_on_h200(), {cell(s->aliases[0], 5, 0, 0)}, playbook);
  CHECK(item(r, "loop_unroll").counts.n == 5);
  Cell claimed = cell("loop_unroll", 5, 0, 0);
  claimed.level = "claimed";
  auto weak = recommend::rank(softmax_on_h200(), {claimed}, playbook);
  CHECK(item(weak, "loop_unroll").p < item(r, "loop_unroll").p);
}

TEST_CASE("the answer is the same whatever order the playbook and evidence come in, and every time") {
  std::vector<Cell> cells = {cell("loop_unroll", 3, 1, 0), cell("fast_math", 1, 1, 2),
                             cell("house_trick", 2, 0, 0)};
  auto a = recommend::rank(softmax_on_h200(), cells, Playbook::load(""));
  std::reverse(cells.begin(), cells.end());
  auto b = recommend::rank(softmax_on_h200(), cells, Playbook::load(""));
  REQUIRE(a.items.size() == b.items.size());
  for (size_t i = 0; i < a.items.size(); ++i) CHECK(a.items[i].strategy == b.items[i].strategy);
}
