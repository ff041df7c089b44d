// What a backtest learns from: a playbook's order of the user's own, and a choice of the records.
#include "app/advice/backtest.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"

using namespace explog;

namespace {

std::vector<recommend::Dated> records(std::initializer_list<const char*> notes) {
  std::vector<recommend::Dated> list;
  for (const char* note : notes) {
    recommend::Dated& dated = list.emplace_back();
    dated.record.kernel_type = "gemm";
    dated.record.notes = note;
    dated.at_ms = static_cast<std::int64_t>(list.size());
  }
  return list;
}

std::vector<std::string> notes_of(const std::vector<recommend::Dated>& list) {
  std::vector<std::string> notes;
  for (const recommend::Dated& dated : list) notes.push_back(dated.record.notes);
  return notes;
}

}  // namespace

TEST_CASE("an order: lines behind the header, each with its place and factor") {
  auto order = app::parse_order("strategy,prior_factor\nblock_x:up,1.3\n\n a,b , 0.5\n", "order.csv");
  REQUIRE(order.size() == 2);
  CHECK(order.at("block_x:up").place == 0);
  CHECK(order.at("block_x:up").factor == 1.3);
  CHECK(order.at("a,b").place == 1);
  CHECK(app::parse_order("", "order.csv").empty());
  for (const char* line : {"tiling", "tiling,", "tiling,0", "tiling,-1", "tiling,x"}) {
    CAPTURE(line);
    CHECK_THROWS_WITH_AS(app::parse_order("header\n" + std::string(line), "order.csv"),
                         "order.csv:2: not strategy,prior_factor", Error);
  }
}

TEST_CASE("fewer records to learn from: a smaller choice is part of a larger one, in any order") {
  auto one = records({"a", "b", "c", "d"}), two = one, turned = records({"d", "c", "b", "a"});
  app::thin(one, 1);
  app::thin(two, 2);
  app::thin(turned, 1);
  REQUIRE(two.size() == 2);
  CHECK(two[0].at_ms < two[1].at_ms);
  CHECK(notes_of(one) == notes_of(turned));
  auto larger = notes_of(two);
  CHECK(std::find(larger.begin(), larger.end(), notes_of(one).at(0)) != larger.end());
}

TEST_CASE("fewer records: each kernel on each GPU has its own share") {
  auto list = records({"a", "b", "c"});
  list[2].record.gpu = "NVIDIA H200";
  app::thin(list, 1);
  CHECK(list.size() == 2);
}
