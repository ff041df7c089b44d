#include "model/tuned.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "model/claim.h"
#include "model/json.h"

using namespace explog;

namespace {

Tuned example_tuned() {
  Tuned t;
  t.key = {"transpose", "transpose",   "mine.cu", "ab12",        {{"M", 1000}, {"N", 64}}, "f32", "cuda",
           "sm_90",     "NVIDIA H200", "",        "CUDA 13.0.88"};
  t.complete = true;
  t.best = {{"BLOCK", 256.0}, {"VEC", 4.0}};
  t.original = {{"BLOCK", 128.0}, {"VEC", 1.0}};
  t.best_ms = 0.5;
  t.original_ms = 1;
  t.original_wins = false;
  t.faster = 2;
  t.lo = 1.9;
  t.hi = 2.1;
  t.ties = {{{"BLOCK", 512.0}, {"VEC", 4.0}}};
  t.space = "cd34";
  t.search = "exhaustive";
  t.configurations = 6;
  t.successes = 5;
  t.failed = 1;
  t.failures = {{{{"BLOCK", 512.0}, {"VEC", 1.0}}, "wrong_values", "y[0] is 1, not 2"}};
  t.pruned = {{"where BLOCK < 1024", 2}, {"same_code", 0}};
  t.estimates = {{{{"BLOCK", 256.0}, {"VEC", 4.0}}, {{"BLOCK_M", 256.0}}, "somebody 1.0", 0.4, 0.5}};
  t.controls = {{"fast.acf", 4711}};
  return t;
}

std::string tuned_refusal(const std::string& json) {
  try {
    parse_tuned(json);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a result of tuning goes through JSON and through a record unchanged") {
  Tuned t = example_tuned();
  CHECK(to_json(parse_tuned(to_json(t))) == to_json(t));
  Experience e = experience_of(t);
  CHECK_FALSE(prepare(e, "measured").refused);
  auto back = tuned_of(parse_experience(to_json(e)));
  REQUIRE(back);
  CHECK(to_json(*back) == to_json(t));
  CHECK(e.outcome == "success");
  CHECK_FALSE(tuned_of(Experience()));
}

TEST_CASE("the record of a winner that was timed in process is tagged so") {
  Tuned t = example_tuned();
  CHECK(to_json(t).find("in_process") == std::string::npos);
  CHECK(experience_of(t).tags.empty());
  t.in_process = true;
  CHECK(parse_tuned(to_json(t)).in_process);
  CHECK(experience_of(t).tags == Tags{"in-process"});
  CHECK(
      tuned_refusal(replace_all(to_json(t), "\"in_process\":true", "\"in_process\":1")).find("in_process") !=
      std::string::npos);
}

TEST_CASE("where the original stays the record is neutral and claims no speed-up") {
  Tuned t = example_tuned();
  t.original_wins = true;
  Experience e = experience_of(t);
  CHECK(e.outcome == "neutral");
  CHECK_FALSE(e.speedup);
}

TEST_CASE("a result that is not one is refused by its key") {
  std::string good = to_json(example_tuned());
  CHECK(tuned_refusal(good).empty());
  CHECK(tuned_refusal(replace_all(good, "\"format\":1", "\"format\":9")) ==
        "\"format\" is 9, this program reads 1");
  CHECK(tuned_refusal(replace_all(good, "\"M\":1000", "\"M\":0")) ==
        "\"shape\" must hold whole numbers from 1");
  CHECK(tuned_refusal(replace_all(good, "\"complete\":true", "\"complete\":1")) ==
        "\"complete\" must be true or false");
  CHECK(tuned_refusal(replace_all(good, "\"BLOCK\":256", "\"a b\":256")) ==
        "\"params\" must hold names with numbers");
  CHECK(tuned_refusal(replace_all(good, "\"ms\":0.5", "\"ms\":-1")) ==
        "\"ms\" must be a number of 0 or more");
  CHECK(tuned_refusal("{\"format\":1}") == "\"key\" is missing");
}

TEST_CASE("what is open of a result: the search, or the judge's verdict") {
  Tuned t;
  t.configurations = 5, t.successes = 3, t.failed = 1, t.reason = "too_few_blocks";
  CHECK(left_open(t) == "the search was cut short");
  t.successes = 4;
  CHECK(left_open(t) == "the judge could not tell of the fastest");
  t.complete = true;
  CHECK(left_open(t).empty());
  t.complete = false, t.reason = "shard";
  CHECK(left_open(t).empty());
}

TEST_CASE("a shape's bucket is the next power of two") {
  CHECK(bucket_of({{"M", 1000}, {"N", 64}}) == Dims{{"M", 1024}, {"N", 64}});
}
