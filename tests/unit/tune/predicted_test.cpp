#include "tune/predicted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/arch.h"
#include "recommend/knob_steps.h"
#include "tune/expected.h"

using namespace explog;
using namespace explog::tune;

namespace {

// Two knobs of eight doublings each; row 0 is (1, 1).
struct Doublings {
  Space space;
  std::vector<Configuration> rows;
  Doublings(const char* a, const char* b) {
    for (const char* name : {a, b}) {
      Parameter p{std::string(name)};
      for (int i = 0; i < 8; ++i) p.number_of(std::exp2(i));
      space.parameters.push_back(p);
    }
    for (std::uint32_t i = 0; i < 64; ++i) rows.push_back({i / 8, i % 8});
  }
};

// log2 of the time: least at (32, 8).
double log2_bowl(std::size_t row) {
  std::size_t line = row / 8;
  double a = static_cast<double>(line) - 5, b = static_cast<double>(row % 8) - 3;
  return 0.2 * (a * a + b * b);
}
constexpr std::size_t best_row = 5 * 8 + 3;

std::vector<std::size_t> asked_until_best(const Doublings& d, const std::vector<double>& expected) {
  std::vector<Outcome> outcomes(64);
  Plan plan{.strategy = Strategy::predicted};
  plan.expected = expected;
  std::vector<std::size_t> asked;
  for (auto next = next_rows(d.space, d.rows, outcomes, plan); !next.empty();
       next = next_rows(d.space, d.rows, outcomes, plan)) {
    for (std::size_t row : next) {
      asked.push_back(row);
      if (row == best_row) return asked;
      outcomes[row].ms.push_back(std::exp2(log2_bowl(row)));
    }
  }
  return asked;
}

std::vector<double> bowl_over_original(double sign) {
  std::vector<double> expected;
  for (std::size_t row = 0; row < 64; ++row) expected.push_back(sign * (log2_bowl(row) - log2_bowl(0)));
  return expected;
}

KnobStep step(const std::string& knob, int direction, double gain, Facts state) {
  return {std::move(state), knob, direction, 0, gain, 1};
}

Cell cell(const std::string& strategy, const std::string& arch, std::int64_t gain_e4) {
  Cell c;
  c.family = "transpose", c.kernel_type = "transpose", c.strategy = strategy, c.backend = "cuda",
  c.arch = arch;
  c.level = "measured", c.bottleneck = "unknown", c.state = "block_x=4;block_y=3", c.source = arch;
  (gain_e4 > 0 ? c.success : c.failure) = 1;
  (gain_e4 > 0 ? c.gain_n : c.loss_n) = 1;
  (gain_e4 > 0 ? c.gain_sum : c.loss_sum) = gain_e4;
  return c;
}

}  // namespace

TEST_CASE("predicted: the original, then what is expected to be fast; wrong expectations are given up") {
  Doublings d("A", "B");
  auto right = asked_until_best(d, bowl_over_original(1));
  CHECK(right.front() == 0);
  CHECK(right.size() <= 5);
  auto blind = asked_until_best(d, {});
  CHECK(blind.size() <= 30);
  auto wrong = asked_until_best(d, bowl_over_original(-0.5));
  CHECK(wrong.size() < 50);
  CHECK(std::set<std::size_t>(wrong.begin(), wrong.end()).size() == wrong.size());
}

TEST_CASE("predicted: no more rows than wanted, and only those of the shard") {
  Doublings d("A", "B");
  std::vector<Outcome> outcomes(64);
  Plan plan{.strategy = Strategy::predicted, .most = 10, .shard = {2, 3}};
  std::size_t n = 0;
  for (auto next = next_rows(d.space, d.rows, outcomes, plan); !next.empty();
       next = next_rows(d.space, d.rows, outcomes, plan)) {
    for (std::size_t row : next) {
      CHECK((row == 0 || (row - 1) % 3 == 1));
      row % 2 == 0 ? outcomes[row].ms.push_back(1) : void(outcomes[row].failed = true);
      ++n;
    }
  }
  CHECK(n == 10);
}

TEST_CASE("expected times: single changes add up along the knobs, pairs of values have their say") {
  Doublings d("block_size_x", "vector");  // block_x and vector_width in records
  std::vector<KnobStep> steps;
  for (int x = 0; x < 7; ++x) {
    for (int v = 0; v < 7; ++v) {
      Facts state = {{"block_x", x}, {"vector_width", v}};
      steps.push_back(step("block_x", 1, 0.5, state));
      // Twice the vector pays in small blocks and costs in large ones.
      steps.push_back(step("vector_width", 1, x < 4 ? 0.3 : -0.3, state));
      steps.back().weight = 10;  // many say so
    }
  }
  std::vector<double> expected = expected_times(d.space, d.rows, steps);
  CHECK(expected[0] == 0);
  CHECK(expected[7 * 8] == doctest::Approx(-3.5).epsilon(0.2));
  CHECK(expected[0 * 8 + 6] < expected[0 * 8 + 1]);
  CHECK(expected[6 * 8 + 6] > expected[6 * 8 + 1]);
  steps = {step("unroll", 1, 1, {{"unroll", 0}})};  // no knob of this space
  expected = expected_times(d.space, d.rows, steps);
  CHECK(std::all_of(expected.begin(), expected.end(), [](double e) { return e == 0; }));
}

TEST_CASE(
    "steps of knobs: the nearest arch counts most, what did not run is a loss, the reverse is left out") {
  Question q;
  q.kernel_type = q.family = "transpose", q.backend = "cuda", q.arch = "sm_90";
  std::vector<Cell> cells = {cell("block_x:up", "sm_70", 5000), cell("block_x:up", "sm_90", 10000),
                             cell("smem_tiling", "sm_90", 10000), cell("block_y:down", "sm_90", -5000)};
  cells.push_back(cell("block_y:up", "sm_90", -1));
  cells.back().loss_sum = cells.back().loss_n = 0, cells.back().broken = 1;
  cells.push_back(cell("block_x:down", "sm_90", -10000));
  cells.back().reversed = true;
  cells.push_back(cell("block_x:to64", "sm_90", 10000));
  std::vector<KnobStep> steps = recommend::knob_steps(q, cells);
  REQUIRE(steps.size() == 5);
  CHECK(steps[0].knob == "block_x");
  CHECK(steps[0].direction == 1);
  CHECK(steps[0].gain == doctest::Approx(0.5));
  CHECK(steps[0].weight < steps[1].weight);
  CHECK(steps[2].direction == -1);
  CHECK(steps[2].gain == doctest::Approx(-0.5));
  CHECK(steps[3].gain < -1);
  CHECK(steps[4].direction == 0);
  CHECK(steps[4].to == 6);
}
