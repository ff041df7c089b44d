#include "tune/effects.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using explog::tune::variance_share;

namespace {

using Rows = std::vector<std::pair<std::string, double>>;

// log2 of the time is 3 a + b over a, b in 0..1; the rows by a or by b.
Rows rows(bool by_a) {
  Rows list;
  for (int a : {0, 1}) {
    for (int b : {0, 1}) list.emplace_back(std::to_string(by_a ? a : b), std::exp2(3 * a + b));
  }
  return list;
}

}  // namespace

TEST_CASE("shares of variance: of effects that add up they add up to 1") {
  CHECK(variance_share(rows(true)) == doctest::Approx(0.9));
  CHECK(variance_share(rows(false)) == doctest::Approx(0.1));
}

TEST_CASE("shares of variance: nothing where all times are equal, or there are none") {
  CHECK(variance_share(Rows{{"1", 2.0}, {"2", 2.0}}) == 0);
  CHECK(variance_share(Rows{}) == 0);
  CHECK(variance_share(Rows{{"1", 2.0}}) == 0);
}
