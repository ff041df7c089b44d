#include "model/evidence.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "model/family_evidence.h"
#include "recommend/interner.h"
#include "recommend/kernel_distance.h"
#include "recommend/similarity.h"

using namespace explog;

namespace {

Experience doubled_block() {
  Experience e;
  e.kernel_type = "gemm", e.backend = "cuda", e.arch = "sm_90", e.bottleneck = "unknown";
  e.strategy = "block_x:up";
  e.params = {{"name", Scalar(std::string("BX"))}, {"from", Scalar(64.0)}, {"to", Scalar(128.0)}};
  e.state = {{"unroll", 1}, {"block_x", 64}, {"smem_padding", 0}};
  e.speedup = 1.5;
  e.outcome = "success";
  e.level = "measured";
  return e;
}

}  // namespace

TEST_CASE("features are steps of two in log2, shares of peak in quarters, sorted by name") {
  Facts f = features({{"unroll", 8}, {"flag", 0}},
                     {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 50}, {"not_kept", 3}});
  CHECK(f == Facts{{"%sm", 2}, {"flag", -1}, {"unroll", 3}});
  CHECK(feature_key(f, 1) == "%sm=2;flag=-1;unroll=3");
  CHECK(parse_feature_key(feature_key(f, 1)) == f);
  CHECK(feature_key(f, 3) == "%sm=1;flag=0;unroll=1");
  CHECK(parse_feature_key("").empty());
  CHECK(features({{"a;b=c", 1}}, {}).empty());
}

TEST_CASE("a knob's change read backwards is the opposite change of the changed kernel") {
  auto m = reversed(doubled_block());
  REQUIRE(m);
  CHECK(m->strategy == "block_x:down");
  CHECK(fact(m->state, "block_x") == 128);
  CHECK(m->outcome == "failure");
  CHECK(*m->speedup == doctest::Approx(1 / 1.5));
  auto cells = cells_of(doubled_block());
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].state == "block_x=6;smem_padding=-1;unroll=0");
  CHECK(cells[0].gain_sum == 5850);
  CHECK(cells[1].reversed);
  CHECK(cells[1].loss_sum == -5850);
}

TEST_CASE("what was timed in process counts with a level of its own, read backwards too") {
  auto levels = [](const std::string& level) {
    Experience e = doubled_block();
    e.level = level, e.tags = {"own-task", "in-process"};
    auto cells = cells_of(e);
    REQUIRE(cells.size() == 2);
    CHECK(cells[0].level == cells[1].level);
    return cells[0].level.text();
  };
  CHECK(levels("measured") == "in_process");
  CHECK(levels("replicated") == "in_process");
  CHECK(levels("imported") == "imported");
  CHECK(levels("claimed") == "claimed");
  CHECK(cells_of(doubled_block())[1].level == "measured");
}

TEST_CASE("what cannot be read backwards is not: crashes, unknown values, strategies without direction") {
  Experience crashed = doubled_block();
  crashed.outcome = "failure", crashed.cause = "launch_error";
  CHECK_FALSE(reversed(crashed));
  Experience unknown = doubled_block();
  unknown.state.clear();
  CHECK_FALSE(reversed(unknown));
  Experience named = doubled_block();
  named.strategy = "smem_tiling";
  CHECK_FALSE(reversed(named));
  CHECK(knob_of("algo:to3") == "algo");
  CHECK(knob_of("a:b") == "");
}

TEST_CASE("rows of evidence say what their cells say, and share what they say alike") {
  std::vector<Cell> cells = cells_of(doubled_block());
  for (int i = 0; i < 2000; ++i) {
    Cell c = cells[0];
    c.strategy = i % 2 == 0 ? "a" : "b", c.state = "unroll=" + std::to_string(i / 4);
    c.success = std::int64_t{1} << (i % 40), c.source = i % 4 < 2 ? "here" : "there";
    cells.push_back(c);
  }
  cells.back().state = std::string(100'000, 'x');
  FamilyEvidence moved(cells), evidence = std::move(moved);
  REQUIRE(evidence.rows.size() == cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const EvidenceRow& row = evidence.rows[i];
    const Cell& cell = cells[i];
    CHECK(row.setting->strategy == cell.strategy.text());
    CHECK(row.setting->bottleneck == cell.bottleneck.text());
    CHECK(row.state->text == cell.state.text());
    CHECK(row.by->source == cell.source.text());
    CHECK(row.by->reversed == cell.reversed);
    CHECK(row.success == std::min<std::int64_t>(cell.success, std::numeric_limits<std::int32_t>::max()));
    CHECK(row.gain_sum == cell.gain_sum);
    CHECK(&evidence.settings()[row.setting->number] == row.setting);
    CHECK(&evidence.states()[row.state->number] == row.state);
  }
  CHECK(evidence.settings().size() == 4);
  CHECK(evidence.states().size() == 503);
  CHECK(evidence.provenances().size() == 4);
  evidence.change_states([](std::string_view state) { return "new " + std::string(state); });
  CHECK(evidence.rows[2].state->text == "new unroll=0");
  CHECK(evidence.state("unroll=0") != evidence.rows[2].state);
  CHECK(evidence.state("new unroll=0") == evidence.rows[2].state);
}

TEST_CASE("the feature that decides is the one that counts") {
  std::vector<Cell> cells;
  for (int i = 0; i < 40; ++i) {
    Cell c;
    c.strategy = "unroll:up";
    c.state = "block_x=" + std::to_string(i % 4) + ";pitch=" + std::to_string(i % 5);
    (i % 4 < 2 ? c.success : c.failure) = 1;
    cells.push_back(c);
  }
  FamilyEvidence evidence(cells);
  recommend::FeatureTable table(evidence);
  std::vector<recommend::Sample> samples;
  for (const EvidenceRow& row : evidence.rows)
    samples.push_back({row.state->number, 1, static_cast<double>(row.success)});
  auto weights = recommend::relevance(table, samples, "unroll");
  CHECK(weights[static_cast<std::size_t>(table.index("block_x"))] >
        20 * weights[static_cast<std::size_t>(table.index("pitch"))]);
  auto near = table.point({{"block_x", 0}, {"pitch", 1}});
  CHECK(recommend::closeness(table, weights, near, table.row(0)) > 0.9);  // same block, other pitch
  CHECK(recommend::closeness(table, weights, near, table.row(3)) < 0.1);  // other block
  auto unknown = table.point({});
  CHECK(recommend::closeness(table, weights, unknown, table.row(0)) == 0);
}

TEST_CASE("a source that contradicts all others loses its weight, one without failures is flagged") {
  std::vector<Cell> cells;
  for (int source = 0; source < 5; ++source) {
    for (int strategy = 0; strategy < 4; ++strategy) {
      Cell c;
      c.strategy = "s" + std::to_string(strategy), c.arch = "sm_90", c.backend = "cuda";
      c.level = "measured";
      c.source = std::string(1, static_cast<char>('a' + source));
      bool helps = strategy < 2;
      if (source == 0) helps = !helps;
      c.success = helps ? 18 : 2, c.failure = helps ? 2 : 18;
      if (source == 1) c.failure = 0;
      cells.push_back(c);
    }
  }
  recommend::Similarity similarity(cells, "sm_90", "cuda");
  REQUIRE(similarity.sources().size() == 5);
  CHECK(similarity.sources()[0].skill < 0);
  CHECK(similarity.sources()[0].trust < 0.05);
  CHECK(similarity.sources()[1].odds_ratio > 2);
  CHECK(similarity.sources()[3].trust > 0.8);
  CHECK(similarity.sources()[3].odds_ratio < 2);
}

TEST_CASE("two sources that contradict three are found out, though each backs the other") {
  std::vector<Cell> cells;
  for (int source = 0; source < 5; ++source) {
    for (int strategy = 0; strategy < 6; ++strategy) {
      Cell c;
      c.strategy = "s" + std::to_string(strategy), c.arch = "sm_90", c.backend = "cuda";
      c.level = "measured";
      c.source = std::string(1, static_cast<char>('a' + source));
      bool helps = (strategy < 3) != (source < 2);
      c.success = helps ? 15 : 5, c.failure = helps ? 5 : 15;
      cells.push_back(c);
    }
  }
  recommend::Similarity similarity(cells, "sm_90", "cuda");
  REQUIRE(similarity.sources().size() == 5);
  for (int bad : {0, 1}) CHECK(similarity.sources()[static_cast<std::size_t>(bad)].trust < 0.05);
  for (int good : {2, 3, 4}) CHECK(similarity.sources()[static_cast<std::size_t>(good)].trust == 1);
  // What the user decided stands, and those that agree with it look better.
  for (Cell& c : cells) {
    if (c.source == "a") c.decided = 0.75;
  }
  recommend::Similarity decided(cells, "sm_90", "cuda");
  CHECK(decided.sources()[0].trust == 0.75);
  CHECK(decided.sources()[1].skill > similarity.sources()[1].skill);
}

TEST_CASE("what only an unbelieved source says of two archs leaves their weights alone") {
  auto weight_of_other_arch = [](bool with_unbelieved) {
    std::vector<Cell> cells;
    for (const char* arch : {"sm_80", "sm_90"}) {
      for (int strategy = 0; strategy < 3; ++strategy) {
        Cell c;
        c.strategy = "s" + std::to_string(strategy), c.arch = arch, c.backend = "cuda", c.level = "measured";
        c.source = strategy == 2 ? "never" : "always";
        if (strategy == 2) c.decided = 0;
        c.success = strategy == 0 ? 90 : 10, c.failure = 100 - c.success;
        if (strategy < 2 || with_unbelieved) cells.push_back(c);
      }
    }
    FamilyEvidence evidence(cells);
    return recommend::Similarity(evidence, "sm_90", "cuda").weight(evidence.rows[0]);
  };
  CHECK(weight_of_other_arch(true) == doctest::Approx(weight_of_other_arch(false)));
}

TEST_CASE("things are numbered in the order they are met, and listed in their own") {
  recommend::Interner<std::string_view> numbers;
  std::vector<std::size_t> met;
  for (std::string_view name : {"b", "b", "a", "b", "c", "a"}) met.push_back(numbers(name));
  CHECK(met == std::vector<std::size_t>{0, 0, 1, 0, 2, 1});
  std::vector<std::string_view> names;
  for (const auto& [name, number] : numbers.sorted()) names.push_back(name);
  CHECK(names == std::vector<std::string_view>{"a", "b", "c"});
}
