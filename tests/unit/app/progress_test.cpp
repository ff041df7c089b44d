#include "app/session/progress.h"

#include <doctest/doctest.h>

using namespace explog::app;

TEST_CASE("progress names amount, rate and time left") {
  CHECK(progress_text("import", "records", 1234567, 0.5, 10) ==
        "import: 1,234,567 records, 123,457 a second, 10 s left");
  CHECK(progress_text("import", "records", 20, 0, 10) == "import: 20 records, 2 a second");
  CHECK(progress_text("import", "records", 0, 0, 0) == "import: 0 records");
}

TEST_CASE("time left follows from what is done") {
  CHECK(time_left_text(60, 1, 3) == "2 min 00 s left");
  CHECK(time_left_text(10, 1, 2) == "10 s left");
  CHECK(time_left_text(10, 3, 3) == "0 s left");
  CHECK(time_left_text(10, 0, 3).empty());
}

TEST_CASE("nothing is told of what is quick") {
  int told = 0;
  Session session;
  session.progress = [&](const std::string&) { ++told; };
  { Progress(session, "x", "records").at(1); }
  CHECK(told == 0);
}
