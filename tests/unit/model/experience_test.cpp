#include "model/experience.h"

#include <doctest/doctest.h>

#include "model/claim.h"
#include "model/json.h"

using namespace explog;

TEST_CASE("a record reads back as it was written, unknown keys included") {
  const char* line =
      R"({"kernel_type":"gemm","kernel":"k \"x\"","backend":"cuda","arch":"sm_90","shape":{"M":4096,"N":1},"strategy":"a:up",)"
      R"("params":{"tile":32,"on":true,"how":"fast"},"state":{"r":0.1},"latency_before_ms":1.5,"tags":["a","b"],)"
      R"("notes":"größe\n","mine":{"deep":[1,{"x":null}],"s":"t"},"other":false})";
  Experience e = parse_experience(line);
  CHECK(e.params.size() == 3);
  CHECK(e.extra.size() == 2);
  CHECK(parse_experience(to_json(e)) == e);
  CHECK(to_json(parse_experience(to_json(e))) == to_json(e));
}

TEST_CASE("wrong types and broken JSON are refused with the field's name") {
  for (auto [text, reason] : {std::pair(R"({"shape":[1]})", "shape: expected an object, got a list"),
                              {R"({"shape":{"M":"x"}})", "shape.M: expected numbers only, got \"x\""},
                              {R"({"notes":3})", "notes: expected text, got 3"},
                              {R"({"tags":["a",1]})", "tags: expected a list of text, got 1"},
                              {R"({"tags":"a"})", "tags: expected a list of text, got \"a\""},
                              {R"({"params":{"a":[1]}})", "params.a"},
                              {R"([])", "expected an object, got a list"},
                              {R"(3)", "expected an object, got 3"},
                              {R"({"a":1,"a":2})", "duplicate key"},
                              {R"({"a":1e999})", "number"},
                              {R"({"a":18446744073709551616})", "2^53"},
                              {R"({"a":9007199254740993})", "2^53"},
                              {R"({"a":"\ud800"})", "surrogate"},
                              {"{\"a\":\"\xff\"}", "UTF-8"},
                              {R"({"a":NaN})", "invalid literal"},
                              {R"({"a":1} x)", "end of input"},
                              {"", "parse error"}}) {
    const std::string line = text;
    CAPTURE(line);
    std::string what;
    try {
      parse_experience(text);
    } catch (const JsonError& e) {
      what = e.what();
    }
    CAPTURE(what);
    CHECK(what.find(reason) != std::string::npos);
  }
  std::string deep = "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}";
  CHECK_THROWS_WITH_AS(parse_experience(deep), "nested deeper than 32 levels", JsonError);
}

TEST_CASE("preparing a prepared record changes nothing") {
  for (
      const char* line :
      {R"({"kernel_type":"MatMul","backend":"CUDA","arch":"9.0","strategy":"Shared Memory","bottleneck":"mem","latency_before_ms":2,"latency_after_ms":1})",
       R"({"kernel_type":"x y","backend":"what","arch":"H100","strategy":"","dtype":"half","decision":"reverted","latency_before_ms":1,"latency_after_ms":2})",
       R"({"kernel_type":"softmax","correctness":"FAIL","level":"measured"})"}) {
    Experience e = parse_experience(line);
    prepare(e, "imported");
    Experience again = e;
    Remarks remarks = prepare(again, "replicated");
    CHECK_FALSE(remarks.refused);
    CHECK(remarks.mended.empty());
    CHECK(again == e);
  }
}

TEST_CASE("outcome and cause follow from the numbers only where the source gives none") {
  auto outcome = [](const std::string& fields) {
    Experience e = parse_experience("{\"kernel_type\":\"gemm\",\"strategy\":\"s\"," + fields + "}");
    prepare(e, "claimed");
    return e.outcome + "/" + e.cause;
  };
  CHECK(outcome(R"("latency_before_ms":1,"latency_after_ms":0.5)") == "success/");
  CHECK(outcome(R"("latency_before_ms":1,"latency_after_ms":0.99)") == "neutral/");
  CHECK(outcome(R"("latency_before_ms":1,"latency_after_ms":1.5)") == "failure/regression");
  CHECK(outcome(R"("speedup":1.5,"speedup_lo":0.9,"speedup_hi":2)") == "neutral/");
  CHECK(outcome(R"("latency_before_ms":1,"latency_after_ms":0.5,"correctness":"fail")") ==
        "failure/wrong_values");
  CHECK(outcome(R"("decision":"crash","cause":"oom")") == "failure/out_of_memory");
  CHECK(outcome(R"("latency_before_ms":1,"latency_after_ms":0.5,"outcome":"neutral")") == "neutral/");
}

TEST_CASE("state and size are rounded to coarse steps") {
  CHECK(log2_size({}) == -1);
  CHECK(log2_size({{"M", 4096}, {"N", 4096}}) == 24);
  CHECK(log2_speedup_e4(2) == 10000);
  CHECK(log2_speedup_e4(0.5) == -10000);
}

TEST_CASE("neutral is no surprise where the interval says that it may be nothing") {
  Experience e = parse_experience(
      R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90","strategy":"unroll:up","outcome":"neutral","speedup":1.08})");
  REQUIRE(check_claim(e).size() == 1);
  CHECK(check_claim(e)[0] == "neutral, but the change is +8.0%");
  e.speedup_lo = 0.97, e.speedup_hi = 1.2;
  CHECK(check_claim(e).empty());
  e.speedup_lo = 1.04;
  CHECK(check_claim(e).size() == 1);
}
