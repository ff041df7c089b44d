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
  CHECK(r.status == "prior_only");
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

TEST_CASE("the rate comes from the ledger: a record's weight is divided among the levels") {
  Cell here = cell("house_trick", 6, 2, 0), elsewhere = cell("house_trick", 1, 9, 0);
  elsewhere.bottleneck = "compute";  // counts 0.35 here, the rest for the family
  auto r = recommend::rank(softmax_on_h200(), {here, elsewhere}, Playbook::load(""));
  const Item& i = item(r, "house_trick");
  double prior = i.ledger[0].p;
  double parent = (0.65 + 4 * prior) / (6.5 + 4);
  CHECK(i.ledger[1].n == doctest::Approx(6.5));
  CHECK(i.ledger[1].p == doctest::Approx(parent));
  CHECK(i.ledger[2].n == doctest::Approx(8 + 3.5));
  CHECK(i.p == doctest::Approx((6 + 0.35 + 4 * parent) / (11.5 + 4)));
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

TEST_CASE("probabilities lie in (0, 1), and successes in a kernel's own state never lower a strategy") {
  Playbook playbook = Playbook::load("");
  std::uint64_t state = 7;
  auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Cell> cells;
    for (std::uint64_t i = 0, n = 1 + random(30); i < n; ++i) {
      Cell c = cell("block_x:up", static_cast<std::int64_t>(random(3)), static_cast<std::int64_t>(random(2)),
                    static_cast<std::int64_t>(random(3)), random(2) == 0 ? "sm_90" : "sm_80");
      c.state = "block_x=" + std::to_string(random(5)) + ";unroll=" + std::to_string(random(3));
      cells.push_back(c);
    }
    Context context = softmax_on_h200();
    context.state = {{"block_x", 4}, {"unroll", 2}};
    Cell better = cell("block_x:up", 1, 0, 0);
    better.state = "block_x=2;unroll=1";
    double before = item(recommend::rank(context, cells, playbook), "block_x:up").p;
    cells.push_back(better);
    double after = item(recommend::rank(context, cells, playbook), "block_x:up").p;
    CHECK(before > 0);
    CHECK(after < 1);
    CHECK(after >= before - 1e-12);
  }
}

TEST_CASE("where more succeeds than the playbook expects, it expects more, in the same order") {
  Playbook playbook = Playbook::load("");
  auto untouched = [&](const recommend::Recommendation& r) {
    std::vector<std::string> names;
    for (const Item& i : r.items) {
      if (i.counts.n == 0) names.push_back(i.strategy);
    }
    return names;
  };
  auto none = recommend::rank(softmax_on_h200(), {}, playbook);
  auto rich = recommend::rank(softmax_on_h200(), {cell("house_trick", 100, 0, 0)}, playbook);
  auto poor = recommend::rank(softmax_on_h200(), {cell("house_trick", 0, 0, 100)}, playbook);
  CHECK(item(rich, "fast_math").p > item(none, "fast_math").p);
  CHECK(item(poor, "fast_math").p < item(none, "fast_math").p);
  CHECK(untouched(rich) == untouched(none));
  CHECK(untouched(poor) == untouched(none));
}
