#include "campaign/journal.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "campaign/contract.h"
#include "model/json.h"

using namespace explog;
using namespace explog::campaign;

namespace {

std::string lines_of(const std::vector<Happening>& list) {
  std::string text;
  for (const Happening& what : list)
    text +=
        to_line({static_cast<int>(std::count(text.begin(), text.end(), '\n')), "2026-01-02T03:04:05Z", what});
  return text;
}

std::vector<Happening> one_of_each() {
  Proposed p;
  p.version = 1, p.by = "agent", p.strategy = "unroll:up", p.hypothesis = "a \"quoted\" | text";
  p.expect = {{"dram__bytes_read.sum", -45}}, p.file = "v1.cu", p.source = "abc", p.parent = 0,
  p.code = "c0de";
  Judged j;
  j.version = 1, j.verdict = "keep", j.reason = "faster", j.detail = "two\nlines", j.ms = 0.25;
  j.faster = {2, 1.9, 2.1}, j.shapes = {{"N=1", 0.5, 0.25, {2, 1.9, 2.1}, 0.4, "faster", 3}};
  j.expected = {{"dram__bytes_read.sum", -45, -48.9, true}}, j.records = {"01a2"}, j.gpu = "H200",
  j.wall_s = 3.5;
  return {Started{"0.1.0", false},
          Proposed{},
          p,
          Judging{1, 42},
          j,
          Decided{1, Decision::keep, 1},
          Interrupted{1, "power"},
          Note{"a", "b"},
          Stopped{"no_gain", "two", 1},
          Refused{1, "walk", "unroll:up", "again", "abd", "c0de"},
          Profiled{1, {"ncu", "softmax", {{"gpu__time_duration.sum", 10, 1, 9, 11, 2}}, "unknown"}}};
}

}  // namespace

TEST_CASE("a campaign's events come back as they were written") {
  std::string text = lines_of(one_of_each());
  Journal journal = parse_journal(text);
  REQUIRE(journal.events.size() == 11);
  std::string again;
  for (const Event& e : journal.events) again += to_line(e);
  CHECK(again == text);
  CHECK(journal.whole == text.size());
}

TEST_CASE("a figure over all shapes is their weighted geometric mean") {
  std::vector<ShapeResult> shapes = {{"N=1", 8, 1, {}, 0, ""}, {"N=2", 8, 4, {}, 0, ""}};
  CHECK(over_shapes(shapes, &ShapeResult::ms) == doctest::Approx(2));
  shapes[1].weight = 3;
  CHECK(over_shapes(shapes, &ShapeResult::ms) == doctest::Approx(std::pow(4, 0.75)));
  CHECK(over_shapes(shapes, &ShapeResult::roof) == 0);  // which is not known
  CHECK(over_shapes({}, &ShapeResult::ms) == 0);
}

TEST_CASE("a line that was being written when the machine stopped is left out") {
  std::string whole = lines_of({Started{"0.1.0", false}});
  Journal journal = parse_journal(whole + R"({"n":1,"at":"2026)");
  CHECK(journal.events.size() == 1);
  CHECK(journal.whole == whole.size());
}

TEST_CASE("events of a later version count and say nothing; a gap or a wrong type is named") {
  Journal journal = parse_journal(
      "{\"n\":0,\"at\":\"\",\"kind\":\"moon\",\"x\":1}\n{\"n\":1,\"at\":\"\",\"kind\":\"note\",\"new\":[]}"
      "\n");
  CHECK(kind_of(journal.events[0].what) == "moon");
  CHECK_THROWS_WITH_AS(parse_journal("{\"n\":1,\"at\":\"\",\"kind\":\"note\"}\n"),
                       "line 1: events are missing", JsonError);
  CHECK_THROWS_WITH_AS(parse_journal("{\"n\":0,\"kind\":\"judge\",\"v\":\"one\"}\n"),
                       "line 1: v: not what belongs there", JsonError);
  CHECK_THROWS_WITH_AS(parse_journal("{\"n\":0,\"kind\":\"decide\",\"v\":7}\n"),
                       "line 1: v: there is no such version", JsonError);
  CHECK_THROWS_AS(parse_journal("[]\n"), JsonError);
}

TEST_CASE("a contract of what is no kernel comes back with its commands") {
  Contract c;
  c.external = {"./bench.sh", "./check.sh", "/home/a"};
  c.before = "date", c.lock_clocks = "1500";
  Contract again = parse_contract(to_json(c));
  CHECK(again.external.measure == "./bench.sh");
  CHECK(again.external.check == "./check.sh");
  CHECK(again.external.folder == "/home/a");
  CHECK(again.before == "date");
  CHECK(again.after.empty());
  CHECK(again.lock_clocks == "1500");
}

TEST_CASE("a contract comes back, and another format is refused") {
  Contract c;
  c.id = "rope-1", c.task = "rope", c.backend = "host", c.baseline = {"/a/mine.cpp", "ff"},
  c.compiler_flags = {"-O2"};
  c.allow_in_process = true;
  c.rules = Rules::explore, c.limits.max_versions = 3;
  std::string text = to_json(c);
  CHECK(to_json(parse_contract(text)) == text);
  text.replace(text.find("\"format\":1"), 10, "\"format\":9");
  CHECK_THROWS_AS(parse_contract(text), JsonError);
  CHECK_THROWS_WITH_AS(parse_contract("{\"format\":1,\"id\":3}"), "id: expected text", JsonError);
}
