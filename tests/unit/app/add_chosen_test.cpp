#include <doctest/doctest.h>

#include "app/judge/attempt.h"

using namespace explog;
using namespace explog::app;

TEST_CASE("each record has what was chosen at its shape, beside what it says itself") {
  std::vector<Experience> records(2);
  records[0].shape = {{"N", 4096}, {"D", 1024}};
  records[0].params = {{"num_warps", 2.0}};
  records[1].shape = {{"N", 1}, {"D", 1}};
  add_chosen(records, R"({"dims":{"N":4096,"D":1024},"chosen":{"k":{"BLOCK":64,"num_warps":4}}})");
  CHECK(records[0].params == Params{{"num_warps", 2.0}, {"BLOCK", 64.0}});
  CHECK(records[1].params.empty());
}
