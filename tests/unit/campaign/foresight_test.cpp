#include "campaign/foresight.h"

#include <doctest/doctest.h>

using namespace explog::campaign;

TEST_CASE("a step counts with the best of what builds on it, at a discount") {
  const std::vector<double> ahead = promises_ahead({{"tiles", "naive", 0.1},
                                                    {"registers", "tiles", 1},
                                                    {"padding", "tiles", 0.2},
                                                    {"unroll", "naive", 0.3},
                                                    {"pipeline", "registers", 1}});
  CHECK(ahead[4] == doctest::Approx(1));
  CHECK(ahead[1] == doctest::Approx(1.7));
  CHECK(ahead[0] == doctest::Approx(0.1 + 0.7 * 1.7));
  CHECK(ahead[2] == doctest::Approx(0.2));
  CHECK(ahead[3] == doctest::Approx(0.3));
}

TEST_CASE("a step that promises nothing itself is a way to what builds on it") {
  const std::vector<double> ahead =
      promises_ahead({{"half", "naive", 0}, {"more", "half", 1}, {"nothing", "naive", 0}});
  CHECK(ahead[0] == doctest::Approx(0.7));
  CHECK(ahead[1] == 1);
  CHECK(ahead[2] == 0);
}
