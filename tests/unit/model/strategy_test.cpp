#include "model/strategy.h"

#include <doctest/doctest.h>

#include "model/json.h"
#include "model/packed_strategy.h"

using namespace explog;

TEST_CASE("a strategy of a later format is refused for its number, not for its keys") {
  CHECK_THROWS_WITH_AS(parse_strategy("a.md", "---\n{\"format\": 2, \"weight\": 1}\n---\n"),
                       "\"format\" is 2, this program reads 1", JsonError);
  CHECK_THROWS_WITH_AS(parse_strategy("a.md", "---\n{\"format\": 1, \"title\": \"t\", \"weight\": 1}\n---\n"),
                       "unknown key \"weight\"", JsonError);
}

TEST_CASE("what acts on the order is checked where it is read") {
  auto with = [](const std::string& extra) {
    return "---\n{\"format\": 1, \"id\": \"a\", \"title\": \"t\", \"category\": \"latency\", \"backends\": "
           "[\"cuda\"], " +
           extra +
           ", \"prior\": {\"success\": 0.3, \"speedup_lo\": 1.1, \"speedup_hi\": 1.2, \"source\": "
           "\"judgement\"}}\n---\n"
           "## When\nx\n\n## Steps\n1. x\n\n## Before and after\nx\n\n## Falsify cheaply\nx\n\n## Risks\nx\n";
  };
  Strategy s = parse_strategy(
      "a.md", with("\"after\": [\"b\"], \"requires\": [\"after:c\", \"tma\"], \"dtypes\": [\"bf16\"], "
                   "\"needs_signal\": true, \"done_patterns\": [\"x+\"], "
                   "\"done_when\": [{\"metric\": \"m\", \"op\": \">\", \"value\": 1}]"));
  CHECK(s.after == std::vector<std::string>{"b", "c"});
  CHECK(s.requirements == std::vector<std::string>{"tma"});
  CHECK(s.needs_signal);
  REQUIRE(s.done_when.size() == 1);
  CHECK(s.done_when[0].holds(2));
  s.prose.clear();
  CHECK(unpack_strategy(pack_strategy(s)) == s);
  CHECK_THROWS_AS(parse_strategy("a.md", with("\"dtypes\": [\"bf17\"]")), JsonError);
  CHECK_THROWS_AS(parse_strategy("a.md", with("\"done_patterns\": [\"(\"]")), JsonError);
  CHECK_THROWS_AS(parse_strategy("a.md", with("\"after\": [\"a\"]")), JsonError);
  CHECK_THROWS_AS(parse_strategy("a.md", with("\"needs_signal\": 1")), JsonError);
  CHECK_THROWS_AS(parse_strategy("a.md", with("\"done_when\": [{\"metric\": \"m\"}]")), JsonError);
}
