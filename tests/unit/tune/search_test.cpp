#include "tune/search.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <set>

using namespace explog;
using namespace explog::tune;

namespace {

using RowList = std::vector<std::size_t>;

// Two knobs of eight values; row 0 is (0, 0).
struct Landscape {
  Space space;
  std::vector<Configuration> rows;
  explicit Landscape(std::uint32_t side = 8) {
    for (const char* name : {"A", "B"}) {
      Parameter p{std::string(name)};
      for (std::uint32_t i = 0; i < side; ++i) p.number_of(static_cast<double>(i + 1));
      space.parameters.push_back(p);
    }
    for (std::uint32_t a = 0; a < side; ++a) {
      for (std::uint32_t b = 0; b < side; ++b) rows.push_back({a, b});
    }
  }
};

struct Run {
  RowList asked;
  std::vector<Outcome> outcomes;
  RowList best;
};

// A whole search over times that `ms(row, how often before)` gives; below 0: it fails.
Run run(const Landscape& land, const Plan& plan, const std::function<double(std::size_t, std::size_t)>& ms,
        std::vector<Outcome> known = {}) {
  Run r;
  r.outcomes = std::move(known);
  r.outcomes.resize(land.rows.size());
  for (int round = 0; round < 1000; ++round) {
    RowList list = next_rows(land.space, land.rows, r.outcomes, plan);
    if (list.empty()) break;
    for (std::size_t row : list) {
      r.asked.push_back(row);
      double time = ms(row, r.outcomes[row].ms.size());
      time < 0 ? void(r.outcomes[row].failed = true) : r.outcomes[row].ms.push_back(time);
    }
  }
  r.best = finalists(r.outcomes, 3);
  return r;
}

double bowl(std::size_t row, std::size_t) {
  const std::size_t line = row / 8;
  double a = static_cast<double>(line) - 5, b = static_cast<double>(row % 8) - 3;
  return 1 + a * a + b * b;
}

std::set<std::size_t> set_of(const RowList& list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("exhaustive: every row once, the original first; a failure ends nothing and is not tried again") {
  Landscape land;
  Run r = run(land, {}, [](std::size_t row, std::size_t) { return row == 7 ? -1 : bowl(row, 0); });
  CHECK(r.asked.size() == 64);
  CHECK(r.asked.front() == 0);
  CHECK(set_of(r.asked).size() == 64);
  CHECK(r.best.front() == 5 * 8 + 3);
}

TEST_CASE("shards share all rows; each has the original") {
  Landscape land;
  std::set<std::size_t> all;
  std::size_t n = 0;
  for (std::size_t k = 1; k <= 3; ++k) {
    Run r = run(land, {.shard = {k, 3}}, bowl);
    CHECK(r.asked.front() == 0);
    n += r.asked.size();
    all.merge(set_of(r.asked));
  }
  CHECK(all.size() == 64);
  CHECK(n == 66);
}

TEST_CASE("random: a seed gives the same rows, another seed others; no more than wanted") {
  Landscape land;
  Plan plan{.strategy = Strategy::random, .seed = 7, .most = 20};
  Run once = run(land, plan, bowl);
  CHECK(once.asked.size() == 20);
  CHECK(once.asked.front() == 0);
  CHECK(run(land, plan, bowl).asked == once.asked);
  plan.seed = 8;
  CHECK(run(land, plan, bowl).asked != once.asked);
}

TEST_CASE("local: walks down to the best with a part of the rows, and stops there") {
  Landscape land;
  Run r = run(land, {.strategy = Strategy::local}, bowl);
  CHECK(r.best.front() == 5 * 8 + 3);
  CHECK(r.asked.size() < 40);
  CHECK(set_of(r.asked).size() == r.asked.size());
  Run more = run(land, {.strategy = Strategy::local, .most = 64}, bowl);
  CHECK(more.asked.size() == 64);  // other starts, as long as there are rows
}

TEST_CASE("halving: the better half is measured again, down to a few; one lucky sample does not win") {
  Landscape land;
  auto noisy = [](std::size_t row, std::size_t before) {
    if (row == 60) return before == 0 ? 0.1 : 50.0;  // seems best once
    return bowl(row, 0);
  };
  Run r = run(land, {.strategy = Strategy::halving}, noisy);
  CHECK(r.best.front() == 5 * 8 + 3);
  std::size_t once = 0, most = 0;
  for (const Outcome& o : r.outcomes) once += o.ms.size() == 1, most = std::max(most, o.ms.size());
  CHECK(once == 32);
  CHECK(most >= 8);
  CHECK(r.outcomes[0].ms.size() == most);  // the original stays to the end
}

TEST_CASE("a search that was cut asks for the rest and ends with the same rows") {
  Landscape land;
  for (Strategy strategy :
       {Strategy::exhaustive, Strategy::halving, Strategy::local, Strategy::random, Strategy::predicted}) {
    CAPTURE(word(strategy));
    Plan plan{.strategy = strategy, .seed = 3, .most = strategy == Strategy::local ? std::size_t{30} : 0};
    Run whole = run(land, plan, bowl);
    std::vector<Outcome> half(land.rows.size());
    for (std::size_t i = 0; i < whole.asked.size() / 2; ++i)
      half[whole.asked[i]].ms.push_back(bowl(whole.asked[i], 0));
    Run rest = run(land, plan, bowl, half);
    CHECK(rest.asked.size() + whole.asked.size() / 2 == whole.asked.size());
    CHECK(rest.best == whole.best);
  }
}

TEST_CASE("the original wins where nothing is faster, and where nothing runs") {
  Landscape land(2);
  CHECK(run(land, {}, [](std::size_t, std::size_t) { return 1.0; }).best.empty());
  CHECK(run(land, {}, [](std::size_t, std::size_t) { return -1.0; }).best.empty());
  CHECK(run(land, {}, [](std::size_t row, std::size_t) { return row == 0 ? -1.0 : 1.0; }).best.size() == 3);
}
