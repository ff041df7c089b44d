// A verdict of the judge as a campaign's journal keeps it.
#include <doctest/doctest.h>

#include "app/campaign/verdict.h"

using namespace explog;

TEST_CASE("a version that was found right is correct, also where its gain could not be confirmed") {
  auto is_correct = [](const char* correctness) {
    Measurement m;
    m.correctness = correctness;
    return app::judged_from(m, {}, {}).correct;
  };
  CHECK(is_correct("pass"));
  CHECK(is_correct("machine_busy"));
  CHECK(is_correct("unconfirmed"));
  CHECK_FALSE(is_correct("wrong_values"));
  CHECK_FALSE(is_correct(""));
}
