#include "answers/quantities.h"

#include <doctest/doctest.h>

using namespace explog::answers;

TEST_CASE("quantities are read at three digits, with their units, as wide as the format says") {
  CHECK(fmt::format("{} {}", Short{0.0045678}, Short{1.23456, 4}) == "0.00457 1.235");
  CHECK(fmt::format("{:>7}|", Percent{0.1234}) == "  12.3%|");
  CHECK(fmt::format("{:<12}|", Rate{4.812e12, "B/s"}) == "4.81 TB/s   |");
  CHECK(fmt::format("{}", Rate{1203, "FLOP/s"}) == "1.20 KFLOP/s");
  CHECK(fmt::format("{}", Rate{0, "B/s"}) == "0 B/s");
}
