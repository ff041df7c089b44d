#include "app/tune/heuristics.h"

#include <doctest/doctest.h>

using namespace explog;
using namespace explog::app;

namespace {

Space space_of(std::initializer_list<std::pair<const char*, std::vector<double>>> knobs) {
  Space space;
  for (const auto& [name, values] : knobs) {
    Parameter p{std::string(name)};
    for (double value : values) p.number_of(value);
    space.parameters.push_back(p);
  }
  return space;
}

GemmEstimate estimate(int m, int n, int k, int stages, double ms) {
  GemmEstimate e;
  e.tile = {m, n, k};
  e.warp = {m / 2, n / 2, k};
  e.stages = stages;
  e.swizzle = 8;
  e.ms = ms;
  return e;
}

std::string text_of(const std::vector<TuneCandidate>& candidates) {
  std::string text;
  for (const TuneCandidate& c : candidates)
    text += std::to_string(c.row) + " " + settings_text(c.settings) + " (" + settings_text(c.moved) + ") [" +
            settings_text(c.no_counterpart) + "]\n";
  return text;
}

}  // namespace

TEST_CASE("rows whose tile is listed come as candidates, other knobs at the nearest value") {
  Space space =
      space_of({{"BLOCK_M", {64, 128}}, {"BLOCK_N", {64, 128}}, {"BLOCK_K", {32, 64}}, {"STAGES", {2, 4}}});
  std::vector<Configuration> rows = configurations(space, "test");
  GemmEstimates estimates{"0.1.0",
                          {estimate(128, 128, 64, 4, 0.2), estimate(128, 256, 64, 4, 0.3),
                           estimate(64, 128, 32, 7, 0.4), estimate(64, 128, 32, 5, 0.5)}};
  std::vector<TuneCandidate> found = estimated_rows(estimates, "triton", space, rows);
  CHECK(text_of(found) ==
        "15 BLOCK_M=128,BLOCK_N=128,BLOCK_K=64,STAGES=4 () [GROUP_M=8,num_warps=4]\n"
        "5 BLOCK_M=64,BLOCK_N=128,BLOCK_K=32,STAGES=4 (num_stages=7) [GROUP_M=8,num_warps=4]\n");
  REQUIRE(found.size() == 2);
  CHECK(found[1].estimate_ms == 0.4);
  CHECK(found[1].from == "nvMatmulHeuristics 0.1.0");
  CHECK(settings_text(found[0].asked).starts_with("BLOCK_M=128,BLOCK_N=128,BLOCK_K=64,"));
}

TEST_CASE("a space without knobs for the tile, and rows that a rule excludes, are left alone") {
  GemmEstimates estimates{"0.1.0", {estimate(128, 128, 64, 4, 0.2)}};
  Space stages = space_of({{"STAGES", {2, 4}}});
  CHECK(estimated_rows(estimates, "triton", stages, configurations(stages, "test")).empty());
  Space tiles = space_of({{"BLOCK_M", {64, 128}}, {"BLOCK_N", {64, 128}}});
  tiles.where = {"BLOCK_M * BLOCK_N < 10000"};
  CHECK(estimated_rows(estimates, "cuda", tiles, configurations(tiles, "test")).empty());
}
