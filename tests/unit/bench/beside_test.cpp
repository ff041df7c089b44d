#include "bench/judge/beside.h"

#include <doctest/doctest.h>

using namespace explog::bench;

namespace {

// Turns on a machine of which something else takes half in every `period`-th turn, now of one process, now of the other.
std::vector<Turn> turns(double slowdown, int period) {
  std::vector<Turn> list;
  for (int i = 0; i < 24; ++i) {
    Turn t{slowdown * (1 + 0.01 * (i % 3)), 1 + 0.01 * (i % 2)};
    if (i % period == 0) (i / period % 2 ? t.beside : t.alone) *= 2;
    list.push_back(t);
  }
  return list;
}

}  // namespace

TEST_CASE("a baseline is slowed by a candidate when it is slower in most turns") {
  CHECK(slowdown_beside(turns(1, 1000)) == doctest::Approx(1).epsilon(0.03));
  CHECK(slowdown_beside(turns(1.45, 1000)) > 1.4);
}

TEST_CASE("a busy machine does not make an honest candidate a saboteur") {
  for (int period : {1, 2, 3, 5}) CHECK(slowdown_beside(turns(1, period)) < 1.05);
  CHECK(slowdown_beside(turns(1.6, 3)) > 1.25);
  CHECK(slowdown_beside({}) == 1);
}
