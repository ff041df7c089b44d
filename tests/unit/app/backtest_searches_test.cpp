// Searches replayed on spaces that are put together from records of single changes.
#include "app/advice/backtest_searches.h"

#include <doctest/doctest.h>

#include <cmath>

#include "model/claim.h"

using namespace explog;

namespace {

// Every change of a space of 8 x 8 doublings, whose least time is at (32, 8); `slow`: a factor of this GPU.
std::vector<recommend::Dated> measured_on(const std::string& gpu, const std::string& arch, double slow) {
  auto ms = [&](int a, int b) { return slow * std::exp2(0.2 * ((a - 5) * (a - 5) + (b - 3) * (b - 3))); };
  std::vector<recommend::Dated> list;
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      for (int knob : {0, 1}) {
        int a2 = a + (knob == 0), b2 = b + knob;
        if (a2 == 8 || b2 == 8) continue;
        Experience e;
        e.kernel_type = "transpose", e.kernel = "tile", e.backend = "cuda", e.arch = arch, e.gpu = gpu;
        e.strategy = knob == 0 ? "block_x:up" : "block_y:up";
        e.state = {{"block_x", std::exp2(a)}, {"block_y", std::exp2(b)}};
        e.params = {{"name", std::string("B")},
                    {"from", std::exp2(knob == 0 ? a : b)},
                    {"to", std::exp2(knob == 0 ? a2 : b2)}};
        e.latency_before_ms = ms(a, b), e.latency_after_ms = ms(a2, b2);
        REQUIRE(!prepare(e, "measured").refused);
        list.push_back({e, 0});
      }
    }
  }
  return list;
}

double needed(const app::SearchedSpace& space, const std::string& search) {
  for (const auto& [name, n] : space.needed) {
    if (name == search) return n;
  }
  return -1;
}

}  // namespace

TEST_CASE("searches: predicted finds a good row in a space of a GPU whose records it does not have") {
  app::BacktestRecords records;
  records.train = measured_on("A100", "sm_80", 1);
  for (auto& dated : measured_on("NVIDIA H200", "sm_90", 0.5)) records.train.push_back(dated);
  records.test = records.train;
  auto spaces = app::searched_spaces(records, recommend::Split::gpu, [](const std::string&) {});
  REQUIRE(spaces.size() == 2);
  for (const app::SearchedSpace& space : spaces) {
    CAPTURE(space.gpu);
    CHECK(space.rows == 64);
    CHECK(space.good == 1);
    CHECK(space.evidence == 112);
    CHECK(needed(space, "random") > 20);
    CHECK(needed(space, "random") < 45);
    CHECK(needed(space, "predicted") <= needed(space, "random") / 3);
    CHECK(needed(space, "exhaustive") <= 64);
    CHECK(needed(space, "halving") >= 2);
    CHECK(needed(space, "local") >= 2);
  }
  // Without the other GPU there is nothing to learn from.
  records.train = measured_on("A100", "sm_80", 1);
  for (const app::SearchedSpace& space :
       app::searched_spaces(records, recommend::Split::gpu, [](const std::string&) {}))
    CHECK(space.evidence == (space.gpu == "A100" ? 0 : 112));
}
