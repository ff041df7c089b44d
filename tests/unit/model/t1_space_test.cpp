#include "model/t1_space.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "model/python_expression.h"
#include "model/tuning_space.h"

using namespace explog;

namespace {

std::vector<double> values(const std::string& text) { return python_list(parse_python(text)); }
std::string sql(const std::string& text) { return python_as_sql(parse_python(text), {"a", "b"}); }

template <class Body>
std::string t1_refusal(Body&& body) {
  try {
    body();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

const std::string t1 = R"({
  "General": {"BenchmarkName": "transpose"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "bx", "Type": "int", "Values": "[8*i for i in range(1, 5)]", "Default": 32},
      {"Name": "by", "Type": "int", "Values": "[2**i for i in range(4)]", "Default": 16},
      {"Name": "pad", "Type": "bool", "Values": "[True, False]"}
    ],
    "Conditions": [
      {"Parameters": ["bx", "by"], "Expression": "32 <= bx * by <= 128"},
      {"Parameters": ["bx", "by"], "Expression": "bx % (16/by) == 0 or not pad"}
    ]
  },
  "KernelSpecification": {"LocalSize": {"X": "bx", "Y": "by", "Z": 1}}
})";

}  // namespace

TEST_CASE("lists of values are worked out as Python does") {
  CHECK(values("[1, 2,4,]") == std::vector<double>{1, 2, 4});
  CHECK(values("[1, 2] + list(range(32, 129, 32))") == std::vector<double>{1, 2, 32, 64, 96, 128});
  CHECK(values("[2**i for i in range(0, 4)]") == std::vector<double>{1, 2, 4, 8});
  CHECK(values("[i // 2 - -1 for i in range(5, 0, -2)]") == std::vector<double>{3, 2, 1});
  CHECK(values("[-2 ** 2, -7 % 3, True]") == std::vector<double>{-4, 2, 1});
  CHECK(values("[]").empty());
}

TEST_CASE("what is no list of whole numbers is refused with its place") {
  CHECK(t1_refusal([] { values("[1, 2"); }) == "'[1, 2' lacks a comma or ] (byte 6)");
  CHECK(t1_refusal([] { values("[n for i in [1]]"); }) == "the name n is not known in a list of values");
  CHECK(t1_refusal([] { values("open('x')"); }) ==
        "'open('x')' is no expression that can be read here (byte 6)");
  CHECK(t1_refusal([] { values("exec(1)"); }) ==
        "exec() is not read in a list of values, range() and list() are");
  CHECK(t1_refusal([] { values("range(9999999)"); }) == "a list of more than 4096 values");
  CHECK(t1_refusal([] { values("[i for i in range(0, 1, 0)]"); }) ==
        "range() needs whole numbers, and a step that is not 0");
  CHECK(t1_refusal([] { values(std::string(60, '(') + "1"); }).find("nested too deeply") !=
        std::string::npos);
}

TEST_CASE("conditions are written in SQL with what Python means by them") {
  CHECK(sql("a==0 or b % 32 != 0") == "((a == 0) OR ((b % 32) != 0))");
  CHECK(sql("32 <= a * b <= 1024") == "(32 <= (a * b) AND (a * b) <= 1024)");
  CHECK(sql("not (a in [1, 2] and b not in [4])") == "(NOT ((a IN (1, 2)) AND (b NOT IN (4))))");
  CHECK(sql("min(a, 2**b) // 2 > 1") == "((min(a, (1 << b)) / 2) > 1)");
  CHECK(sql("a % (b/3) == 0") == "((a - (1.0 * b / 3) * CAST(a / (1.0 * b / 3) AS INTEGER)) == 0)");
  CHECK(t1_refusal([] { sql("a < c"); }) == "a condition names c, which is no parameter");
  CHECK(t1_refusal([] { sql("a < len(b)"); }) == "len() is not read in a condition; min, max and abs are");
}

TEST_CASE("a T1 file is a space") {
  DeclaredSpace declared = declared_in_json(t1, "t1.json");
  REQUIRE(declared.knobs.size() == 3);
  CHECK(declared.knobs[0].values == std::vector<double>{8, 16, 24, 32});
  CHECK(declared.knobs[2].values == std::vector<double>{1, 0});
  CHECK(declared.knobs[1].place == "t1.json:6");
  CHECK(settings_text(declared.original) == "bx=32");  // 16 is no value of by
  REQUIRE(declared.rules.size() == 3);
  CHECK(declared.rules[2].name == "threads");
  CHECK(declared.rules[2].expression == "bx * by * 1");
  TuningSpace space = tuning_space(declared, "int f() { return bx * by * pad; }", "k.cu");
  // Python: len([1 for bx in range(8, 33, 8) for by in (1, 2, 4, 8) for pad in (True, False)
  //                  if 32 <= bx * by <= 128 and (bx % (16 / by) == 0 or not pad)]), the original among them
  CHECK(tuning_rows(space, limits_of("sm_90")).rows.size() == 20);
}

TEST_CASE("what a T1 file lacks is said with the parameter's or the condition's name") {
  auto says = [](const std::string& space) {
    return t1_refusal([&] { declared_in_json("{\"ConfigurationSpace\": " + space + "}", "t1.json"); });
  };
  CHECK(says("{}") == "t1.json: \"ConfigurationSpace\" has no list \"TuningParameters\"");
  CHECK(says(R"({"TuningParameters": [{"Name": "a", "Type": "string", "Values": "['x']"}]})") ==
        "t1.json: parameter a is text; knobs are whole numbers");
  CHECK(says(R"({"TuningParameters": [{"Name": "a", "Type": "float", "Values": "[0.5]"}]})") ==
        "t1.json: parameter a: a value is no whole number");
  CHECK(says(R"({"TuningParameters": [{"Name": "a", "Type": "int", "Values": "[1]"}],
                 "Conditions": [{"Parameters": ["b"], "Expression": "b > 1"}]})") ==
        "t1.json: condition 'b > 1': a condition names b, which is no parameter");
}
