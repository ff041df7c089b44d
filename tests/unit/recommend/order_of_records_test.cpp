// A recommendation is a function of the set of records that count: not of the order they came in, nor of the
// way.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/claim.h"
#include "recommend/rank.h"
#include "scratch.h"
#include "store/read.h"
#include "store/store.h"

using namespace explog;

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t below(std::uint64_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % n;
  }
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_;
};

store::Draft random_record(Random& random) {
  static const std::vector<std::string> strategies = {"block_x:up", "block_x:down", "smem_tiling",
                                                      "house_trick"};
  static const std::vector<std::string> archs = {"sm_80", "sm_86", "sm_90", "gfx90a"};
  Experience e;
  e.kernel_type = "gemm", e.backend = "cuda";
  e.strategy = strategies[random.below(4)], e.arch = archs[random.below(4)];
  double from = static_cast<double>(16 << random.below(4));
  e.state = {{"block_x", from}, {"unroll", static_cast<double>(1 << random.below(3))}};
  if (e.strategy == "block_x:up") e.params = {{"from", from}, {"to", from * 2}};
  if (e.strategy == "block_x:down") e.params = {{"from", from}, {"to", from / 2}};
  e.latency_before_ms = 1;
  e.latency_after_ms = 0.5 + static_cast<double>(random.below(100)) / 100;
  if (random.below(3) > 0) e.source = "lab" + std::to_string(random.below(3));
  e.source_before = "kernel" + std::to_string(random.below(5));
  prepare(e, "measured");
  store::Draft d;
  d.body = to_json(e), d.experience = e;
  d.at_ms = 1'700'000'000'000 + static_cast<std::int64_t>(random.below(3)) * 100 * 86'400'000;
  return d;
}

std::vector<store::Draft> random_records(std::uint64_t seed, std::size_t n) {
  Random random(seed);
  std::vector<store::Draft> list;
  while (list.size() < n) list.push_back(random_record(random));
  return list;
}

std::int64_t fixed_clock() { return 1767323045000; }

// Strategies in order with every number to the last bit.
std::string answer(store::Store& s) {
  Question c;
  c.kernel_type = c.family = "gemm", c.backend = "cuda", c.arch = "sm_90", c.bottleneck = "memory";
  c.state = {{"block_x", 64}, {"unroll", 2}};
  std::string text;
  for (const auto& i : recommend::rank(c, store::evidence(s.db(), "gemm"), Playbook::load("")).items) {
    char line[200];
    std::snprintf(line, sizeof line, "%s %a %a %a %a\n", i.strategy.c_str(), i.p, i.p_failure, i.gain,
                  i.strength);
    text += line;
  }
  return text;
}

std::vector<std::int64_t> append(store::Store& s, const std::vector<store::Draft>& records) {
  std::vector<std::int64_t> rids;
  for (const auto& added : s.append(records)) rids.push_back(store::resolve(s.db(), added.id.text()));
  return rids;
}

}  // namespace

TEST_CASE("the order in which records were added changes no bit of a recommendation") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Scratch scratch;
    auto records = random_records(seed, 60);
    store::Store forward(scratch / "a.db", fixed_clock);
    append(forward, records);
    Random(seed).shuffle(records);
    store::Store shuffled(scratch / "b.db", fixed_clock);
    for (const store::Draft& d : records) append(shuffled, {d});
    CHECK(answer(forward) == answer(shuffled));
  }
}

TEST_CASE("a retracted record leaves no trace in a recommendation, and added again it counts as before") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Scratch scratch;
    auto records = random_records(seed, 40), others = random_records(seed + 100, 15);
    store::Store s(scratch / "a.db", fixed_clock), plain(scratch / "b.db", fixed_clock);
    append(s, records), append(plain, records);
    std::string before = answer(plain);
    auto rids = append(s, others);
    std::string with_others = answer(s);
    CHECK(with_others != before);
    s.retract(rids, "measured on a busy GPU");
    CHECK(answer(s) == before);
    append(s, others);
    CHECK(answer(s) == with_others);
  }
}

TEST_CASE("the order in which databases were merged changes no bit of a recommendation") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Scratch scratch;
    std::vector<std::string> paths;
    for (std::uint64_t part = 0; part < 3; ++part) {
      paths.push_back(scratch / (std::to_string(part) + ".db"));
      store::Store s(paths.back(), fixed_clock);
      append(s, random_records(seed * 10 + part, 25));
    }
    std::string first;
    int order = 0;
    do {
      store::Store all(scratch / ("merged" + std::to_string(order++) + ".db"), fixed_clock);
      for (const std::string& path : paths) CHECK(all.merge(path).refused.empty());
      std::string now = answer(all);
      if (first.empty()) first = now;
      CHECK(now == first);
    } while (std::next_permutation(paths.begin(), paths.end()));
  }
}
