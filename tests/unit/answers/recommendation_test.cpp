#include "answers/recommendation.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "model/json.h"

using namespace explog;

TEST_CASE("how many records of an advice were timed in process is a number of its own, where there are any") {
  app::Advice advice;
  advice.ranking.items.resize(2);
  advice.ranking.items[0].counts.n = 7, advice.ranking.items[0].counts.in_process = 6;
  advice.shown = 2;
  Json items = parse_json(answers::advice_json(advice, false))["recommendations"];
  CHECK(items[0]["evidence"]["in_process"] == 6);
  CHECK_FALSE(items[1]["evidence"].contains("in_process"));
}
