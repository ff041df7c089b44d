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

TEST_CASE("between two rungs come the steps of one branch and go those of the other") {
  const std::vector<Rung> rungs = {
      {"tiles", "naive", 0}, {"wide", "tiles", 0}, {"deep", "wide", 0}, {"other", "tiles", 0}};
  using Files = std::vector<std::string>;
  auto way = [&](const char* from, const char* to) { return way_between(from, to, rungs); };
  CHECK(way("tiles", "wide").up == Files{"wide"});
  CHECK(way("tiles", "wide").down.empty());
  CHECK(way("tiles", "deep").up == Files{"wide", "deep"});  // past one that was reverted
  CHECK(way("naive", "deep").up == Files{"tiles", "wide", "deep"});
  CHECK(way("deep", "other").up == Files{"other"});  // a step back first
  CHECK(way("deep", "other").down == Files{"deep", "wide"});
  CHECK(way("", "wide").up == Files{"tiles", "wide"});  // a kernel that is none of them
  CHECK(way("", "wide").down.empty());
}

TEST_CASE("a version of several changes is called by all of them, each once") {
  CHECK(strategy_of({"smem_tiling"}, {}, "tiled.cu") == "smem_tiling");
  CHECK(strategy_of({"smem_tiling", "loop_unroll", "smem_tiling"}, {"fast_math", "loop_unroll"}, "x.cu") ==
        "smem_tiling+loop_unroll+no_fast_math");
  CHECK(strategy_of({std::string(60, 'a'), std::string(60, 'b')}, {}, "x.cu") == "several:x.cu");
  CHECK(brings("smem_tiling+loop_unroll+no_fast_math", "loop_unroll"));
  CHECK_FALSE(brings("smem_tiling+no_fast_math", "fast_math"));
  CHECK_FALSE(brings("smem_tiling", "tiling"));
}
