#include "model/transfer.h"

#include <doctest/doctest.h>

using namespace explog;

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

std::string row_text(const Space& space, const Transferred& t) {
  return settings_text(settings_of(space, t.row));
}

}  // namespace

TEST_CASE(
    "Triton to cuTile: tiles and groups have counterparts, warps and stages are listed as having none") {
  Space cutile = space_of({{"TILE_SIZE_M", {64, 128, 256}},
                           {"TILE_SIZE_N", {64, 128, 256}},
                           {"TILE_SIZE_K", {32, 64}},
                           {"SWIZZLE_GROUP", {4, 8}},
                           {"num_ctas", {1, 2}},
                           {"occupancy", {1, 2, 4}}});
  Settings triton = {{"BLOCK_SIZE_M", 128.0}, {"BLOCK_SIZE_N", 256.0}, {"BLOCK_SIZE_K", 64.0},
                     {"GROUP_SIZE_M", 8.0},   {"num_warps", 8.0},      {"num_stages", 3.0},
                     {"num_ctas", 2.0},       {"maxnreg", 128.0}};
  Transferred t = transferred(triton, cutile, {0, 0, 0, 0, 0, 1});
  CHECK(row_text(cutile, t) ==
        "TILE_SIZE_M=128,TILE_SIZE_N=256,TILE_SIZE_K=64,SWIZZLE_GROUP=8,num_ctas=2,occupancy=2");
  CHECK(settings_text(t.no_counterpart) == "num_warps=8,num_stages=3,maxnreg=128");
}

TEST_CASE("cuTile to Triton: occupancy has none; a value that is not listed becomes the nearest") {
  Space triton = space_of({{"BLOCK_M", {16, 64, 128}}, {"BLOCK_N", {64, 128}}, {"num_warps", {4, 8}}});
  Settings cutile = {{"TILE_SIZE_M", 256.0}, {"TILE_SIZE_N", 64.0}, {"occupancy", 2.0}};
  Transferred t = transferred(cutile, triton, {0, 1, 1});
  CHECK(row_text(triton, t) == "BLOCK_M=128,BLOCK_N=64,num_warps=8");
  CHECK(settings_text(t.no_counterpart) == "occupancy=2");
}

TEST_CASE("names that records share are counterparts; nothing in common leaves the original") {
  Space space = space_of({{"block_size_x", {16, 32}}, {"UNROLL", {1, 4}}});
  Transferred t = transferred({{"block_x", 32.0}, {"loop_unroll_factor_k", 4.0}}, space, {0, 0});
  CHECK(row_text(space, t) == "block_size_x=32,UNROLL=4");
  t = transferred({{"MODE", std::string("fast")}}, space, {1, 0});
  CHECK(t.taken.empty());
  CHECK(row_text(space, t) == "block_size_x=32,UNROLL=1");
}
