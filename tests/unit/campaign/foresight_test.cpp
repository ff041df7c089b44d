#include "campaign/foresight.h"

#include <doctest/doctest.h>

#include <cmath>

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

TEST_CASE("what a rung stands on is slower by what lies between, unless it was measured") {
  const std::vector<Rung> rungs = {{"tiles", "naive", 0.5}, {"wide", "tiles", 0.25}, {"deep", "tiles", 1}};
  CHECK(promises_so_far(rungs) == std::vector<double>{0.5, 0.75, 1.5});
  const Times one = with_what_is_below({{"wide", 2.0}}, rungs);
  CHECK(one.size() == 3);
  CHECK(one.at("tiles") == doctest::Approx(2 * std::exp(0.25)));
  CHECK(one.at("naive") == doctest::Approx(2 * std::exp(0.75)));
  // The shorter of two estimates counts, and a measured time before any.
  CHECK(with_what_is_below({{"wide", 2.0}, {"deep", 0.5}}, rungs).at("tiles") ==
        doctest::Approx(0.5 * std::exp(1.0)));
  const Times measured = with_what_is_below({{"wide", 2.0}, {"naive", 9.0}}, rungs);
  CHECK(measured.at("naive") == 9.0);
  CHECK(with_what_is_below({{"wide", 0.0}}, rungs).size() == 1);  // a time that is not known tells nothing
}
