// What a candidate that tunes itself chose, as its process wrote it down.
#include <doctest/doctest.h>

#include "bench/harness/python_texts.h"

using namespace explog;
using namespace explog::bench;

static const Facts tuned_shape = {{"N", 4096}, {"D", 1024}};

TEST_CASE("the last line of a shape counts") {
  std::string lines =
      R"({"dims":{"N":4096,"D":1024},"chosen":{"softmax":{"BLOCK":64,"num_warps":4}}})"
      "\n"
      R"({"dims":{"N":8,"D":1024},"chosen":{"softmax":{"BLOCK":32,"num_warps":1}}})"
      "\n"
      R"({"dims":{"D":1024,"N":4096},"chosen":{"softmax":{"BLOCK":128,"num_warps":8,"even":true,"how":"row"}}})"
      "\n";
  Params wanted = {{"BLOCK", 128.0}, {"num_warps", 8.0}, {"even", true}, {"how", std::string("row")}};
  CHECK(chosen_settings(lines, tuned_shape) == wanted);
  CHECK(chosen_settings(lines, {{"N", 4096}}).empty());
  CHECK(chosen_settings("", tuned_shape).empty());
}

TEST_CASE("settings of several kernels have their kernels' names") {
  std::string line =
      R"({"dims":{"N":4096,"D":1024},"chosen":{"rows":{"BLOCK":64},"sums":{"BLOCK":8,"list":[1]}}})";
  CHECK(chosen_settings(line, tuned_shape) == Params{{"rows.BLOCK", 64.0}, {"sums.BLOCK", 8.0}});
}

TEST_CASE("what a candidate wrote in its place says nothing") {
  for (const char* line :
       {"nonsense", "[]", "1", "{}", R"({"dims":1,"chosen":2})", R"({"dims":{"N":4096,"D":1024},"chosen":7})",
        R"({"dims":{"N":4096,"D":1024},"chosen":{"k":3}})", R"({"dims":{"N":"4096","D":1024},"chosen":{}})",
        R"({"dims":{"N":4096,"D":1024},"chosen":["k"]})",
        R"({"dims":{"N":4096,"D":1024},"chosen":{"k":{"":1,"a b":1,"line":"one\ntwo"}}})"})
    CHECK(chosen_settings(line, tuned_shape).empty());
  std::string many;
  for (int i = 0; i < 100; ++i) many += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  CHECK(
      chosen_settings(R"({"dims":{"N":4096,"D":1024},"chosen":{"k":{)" + many + "}}}", tuned_shape).size() ==
      64);
}
