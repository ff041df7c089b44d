#include "base/date.h"

#include <doctest/doctest.h>

using explog::date_ms;

TEST_CASE("dates as logs write them") {
  CHECK(date_ms("2026-01-31") == 1769817600000);
  CHECK(date_ms(" 2026/01/31 ") == 1769817600000);
  CHECK(date_ms("2026-01-31T12:30:05Z") == 1769862605000);
  CHECK(date_ms("2026-01-31T12:30:05.25Z") == 1769862605250);
  CHECK(date_ms("2026-01-31 12:30") == 1769862600000);
  CHECK(date_ms("2026-01-31 12:30:05 UTC") == 1769862605000);
  CHECK(date_ms("2026-01-31T14:30:05+02:00") == 1769862605000);
  CHECK(date_ms("2026-01-31T07:30:05-0500") == 1769862605000);
  CHECK(date_ms("1769862605") == 1769862605000);
  CHECK(date_ms("1769862605250") == 1769862605250);
}

TEST_CASE("what is no date is none") {
  for (const char* text :
       {"", "soon", "2026-13-01", "2026-02-30", "2026-01-31T25:00", "2026-01-31T12:61", "1999-12-31", "12",
        "2026-01-31 noon", "2026-01-31T12:00 +99:00", "2026-1-31", "31.01.2026", "1e300"}) {
    CAPTURE(text);
    CHECK_FALSE(date_ms(text));
  }
}

TEST_CASE("a date is printed in UTC") {
  CHECK(explog::date_text(1769862605250) == "2026-01-31 12:30:05 UTC");
}
