#include "recommend/rank.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace explog;
using recommend::Item;

namespace {

Question softmax_on_h200() {
  Question c;
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
  // Far archs count less where there is something nearer.
  Cell near = cell("fast_math", 1, 1, 1);
  CHECK(p({near, cell("loop_unroll", 10, 0, 0, "sm_90")}) >
        p({near, cell("loop_unroll", 10, 0, 0, "sm_75")}));
}

TEST_CASE("the rate comes from the ledger: a record's weight is divided among the levels") {
  Cell here = cell("house_trick", 6, 2, 0), elsewhere = cell("house_trick", 1, 9, 0);
  elsewhere.bottleneck = "compute";  // counts 0.35 here, the rest for the family
  auto r = recommend::rank(softmax_on_h200(), {here, elsewhere}, Playbook::load(""));
  const Item& i = item(r, "house_trick");
  double prior = i.ledger[0].p;
  double parent = (0.65 + 2 * prior) / (6.5 + 2);
  CHECK(i.ledger[1].n == doctest::Approx(6.5));
  CHECK(i.ledger[1].p == doctest::Approx(parent));
  CHECK(i.ledger[2].n == doctest::Approx(8 + 3.5));
  CHECK(i.p == doctest::Approx((6 + 0.35 + 2 * parent) / (11.5 + 2)));
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

TEST_CASE(
    "what never helped stands lower, unless it was tried under other bottlenecks than those it is meant for "
    "alone") {
  auto part_of_chance = [](const std::string& tried, const std::string& asked, bool reversed = false) {
    Question c = softmax_on_h200();
    c.bottleneck = asked;
    Cell vain = cell("fast_math", 0, 5, 0);
    vain.bottleneck = tried;
    vain.reversed = reversed;
    auto r = recommend::rank(c, {vain}, Playbook::load(""));
    const Item& i = item(r, "fast_math");
    return i.score / i.p;
  };
  CHECK(part_of_chance("compute", "compute") == doctest::Approx(0.6));
  CHECK(part_of_chance("unknown", "compute") == doctest::Approx(0.6));
  CHECK(part_of_chance("memory", "compute") == doctest::Approx(1));  // it is for compute-bound kernels
  CHECK(part_of_chance("compute", "memory") == doctest::Approx(0.6));
  CHECK(part_of_chance("compute", "compute", true) ==
        doctest::Approx(0.6));  // the opposite change helped nowhere
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
    Question context = softmax_on_h200();
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
      if (i.counts.n == 0 && !playbook.find(i.strategy)->needs_signal) names.push_back(i.strategy);
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

TEST_CASE("what nobody has tried is never near certain, has a wide interval, and stands behind what works") {
  Playbook playbook = Playbook::load("");
  auto r = recommend::rank(softmax_on_h200(), {cell("house_trick", 400, 0, 0), cell("loop_unroll", 3, 1, 0)},
                           playbook);
  auto place = [&](const std::string& id) { return &item(r, id) - r.items.data(); };
  for (const Item& i : r.items) {
    if (!i.prior_only()) continue;
    CAPTURE(i.strategy);
    CHECK(i.p <= recommend::most_by_prior);
    CHECK(i.confidence == "prior only");
    CHECK(place(i.strategy) > place("house_trick"));
  }
  auto [lo, hi] = recommend::interval(item(r, "warp_shuffle_reduction"));
  CHECK(hi - lo > 0.5);
}

TEST_CASE("a strategy that needs a signal stays low until one is known") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  CHECK(item(recommend::rank(c, {}, playbook), "cuda_graphs").p <= recommend::most_unsupported);
  c.bottleneck = "latency", c.metrics = {{"gpu__time_duration.sum", 3000}};
  CHECK(item(recommend::rank(c, {}, playbook), "cuda_graphs").p > recommend::most_unsupported);
}

TEST_CASE("records of another element type or backend weigh less, and the answer says whose they are") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  c.dtype = "bf16";
  auto p = [&](const std::string& dtype, const std::string& backend) {
    Cell seen = cell("vectorized_access", 6, 0, 0);
    seen.dtype = dtype, seen.backend = backend;
    return item(recommend::rank(c, {seen}, playbook), "vectorized_access").p;
  };
  CHECK(p("bf16", "cuda") > p("f16", "cuda"));
  CHECK(p("f16", "cuda") > p("f32", "cuda"));
  CHECK(p("bf16", "cuda") > p("bf16", "hip"));
  Cell theirs = cell("triton_autotune", 6, 0, 0);
  auto r = recommend::rank(c, {theirs}, playbook);
  CHECK(r.status == "evidence");
  c.backend = "triton";
  r = recommend::rank(c, {theirs}, playbook);
  CHECK(r.status == "prior");
  const Item& i = item(r, "triton_autotune");
  CHECK(i.counts.n == 0);
  CHECK(i.counts.other_backends == 6);
  CHECK(i.reasons[0].find("6 of other backends") != std::string::npos);
}

TEST_CASE("what was measured with a backend speaks for it, whomever the playbook means it for") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  c.backend = "other", c.arch = "unknown";
  CHECK(recommend::rank(c, {}, playbook).status == "filtered");
  Cell ours = cell("vectorized_access", 2, 0, 0, "unknown"), theirs = cell("loop_unroll", 2, 0, 0);
  Cell failing = cell("fast_math", 0, 0, 3, "unknown");
  ours.backend = failing.backend = "other";
  auto r = recommend::rank(c, {ours, theirs, failing}, playbook);
  CHECK(r.status == "evidence");
  REQUIRE(r.items.size() == 2);
  CHECK(r.items[0].strategy == "vectorized_access");
  CHECK(r.items[0].p > r.items[1].p);
  CHECK(r.items[0].reasons.back() == "is for cuda, hip");
  REQUIRE(r.avoid.size() == 1);
  CHECK(r.avoid[0].strategy == "fast_math");
  Cell newer = cell("tma_loads", 2, 0, 0, "sm_90");  // no record makes an older chip able
  c.backend = "cuda", c.arch = "sm_80";
  r = recommend::rank(c, {newer}, playbook);
  CHECK(
      std::none_of(r.items.begin(), r.items.end(), [](const Item& i) { return i.strategy == "tma_loads"; }));
}

TEST_CASE("a profile that denies a strategy's signals discounts the records of others") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  auto p = [&](double bytes_a_sector) {
    c.metrics = {{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", bytes_a_sector}};
    return item(recommend::rank(c, {cell("coalesce_global_access", 3, 0, 0)}, playbook),
                "coalesce_global_access")
        .p;
  };
  CHECK(p(32) < p(4) - 0.2);
}

TEST_CASE("what the kernel has is named, not advised: by its source, its state, its profile") {
  Playbook playbook = Playbook::load("");
  auto there = [&](const Question& c, const std::string& id) {
    auto r = recommend::rank(c, {cell(id, 5, 0, 0)}, playbook);
    bool named = std::any_of(r.already_there.begin(), r.already_there.end(),
                             [&](const recommend::Filtered& f) { return f.strategy == id; });
    bool advised =
        std::any_of(r.items.begin(), r.items.end(), [&](const Item& i) { return i.strategy == id; });
    CHECK(named != advised);
    return named;
  };
  Question c = softmax_on_h200();
  CHECK_FALSE(there(c, "vectorized_access"));
  c.source = "float4 v = in[i];";
  CHECK(there(c, "vectorized_access"));
  CHECK(there(c, "coalesce_global_access"));
  c.source = "float v = in[i];";
  CHECK_FALSE(there(c, "vectorized_access"));
  c.source = "", c.state = {{"vector_width", 4}};
  CHECK(there(c, "vectorized_access"));
  c.state = {{"warp_shuffle_reduction", 1}};
  CHECK(there(c, "warp_shuffle_reduction"));
  c.state = {}, c.metrics = {{"launch__cluster_size", 2}};
  CHECK(there(c, "thread_block_clusters"));
}

TEST_CASE("what is for some families counts for a kernel of unknown type where its source calls for it") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  c.kernel_type = c.family = "other", c.bottleneck = "";
  auto p = [&](const std::string& source) {
    c.source = source;
    return item(recommend::rank(c, {}, playbook), "warp_shuffle_reduction").p;
  };
  const double unknown = p("");
  CHECK(p("y[i] = 2 * x[i];") < unknown / 2);
  CHECK(p("for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (t < s) room[t] += room[t + s]; "
          "__syncthreads(); }") >= unknown);
}

TEST_CASE("a strategy stands behind what must come before it, and of two that conflict the lower says so") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  c.kernel_type = c.family = "gemm", c.arch = "sm_100", c.dtype = "bf16";
  auto r = recommend::rank(c, {cell("two_cta_mma", 9, 0, 0, "sm_100")}, playbook);
  CHECK(&item(r, "tcgen05_mma") < &item(r, "two_cta_mma"));
  c.state = {{"tcgen05_mma", 1}};
  r = recommend::rank(c, {cell("two_cta_mma", 9, 0, 0, "sm_100")}, playbook);
  CHECK(r.items.front().strategy == "two_cta_mma");
  const Item &a = item(r, "split_k"), &b = item(r, "stream_k");
  CHECK(a.conflict != b.conflict);
  CHECK((&a < &b ? b : a).conflict == (&a < &b ? a : b).strategy);
}

TEST_CASE("one failure of a strategy that nobody knows is not the first advice") {
  Question c = softmax_on_h200();
  c.kernel_type = c.family = "house_kernel";
  auto r = recommend::rank(c, {cell("house_trick", 0, 0, 1)}, Playbook::load(""));
  CHECK(r.items.front().strategy != "house_trick");
}

TEST_CASE("one wild record does not move the expected gain") {
  Playbook playbook = Playbook::load("");
  auto gain = [&](double log2_wild) {
    std::vector<Cell> cells;
    for (int i = 0; i < 9; ++i) {
      Cell c = cell("loop_unroll", 1, 0, 0);
      c.gain_n = 1, c.gain_sum = i == 8 ? std::llround(log2_wild * 1e4) : 4500, c.size = i;
      cells.push_back(c);
    }
    return item(recommend::rank(softmax_on_h200(), cells, playbook), "loop_unroll").gain;
  };
  CHECK(gain(18) == doctest::Approx(gain(0.45)));
}

TEST_CASE("records read backwards are counted and named, and call nothing well known by themselves") {
  Cell up = cell("block_x:down", 6, 2, 2);
  up.reversed = true;
  auto r = recommend::rank(softmax_on_h200(), {up}, Playbook::load(""));
  const Item& i = item(r, "block_x:down");
  CHECK(i.counts.n == 10);
  CHECK(i.counts.reversed == 10);
  CHECK(i.reasons[0].find("10 runs of the opposite change, read backwards") != std::string::npos);
  CHECK(i.reasons[0].find("no record") == std::string::npos);
}

TEST_CASE("size is a distance: the nearer a record's problem, the more it says") {
  Playbook playbook = Playbook::load("");
  Question c = softmax_on_h200();
  c.shape = {{"N", 1 << 20}};
  auto p = [&](int good, int bad) {
    Cell helps = cell("loop_unroll", 8, 0, 0), hurts = cell("loop_unroll", 0, 0, 8);
    helps.size = good, hurts.size = bad;
    return item(recommend::rank(c, {helps, hurts}, playbook), "loop_unroll").p;
  };
  CHECK(p(20, 26) > p(21, 26));
  CHECK(p(21, 26) > p(23, 26));
  c.latency_ms = 0.008;  // 2^3 us
  auto timed = [&](int good, int bad) {
    Cell helps = cell("loop_unroll", 8, 0, 0), hurts = cell("loop_unroll", 0, 0, 8);
    helps.latency = good, hurts.latency = bad;
    return item(recommend::rank(c, {helps, hurts}, playbook), "loop_unroll").p;
  };
  CHECK(timed(3, 12) > timed(12, 3));
}
