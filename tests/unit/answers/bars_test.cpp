#include "answers/bars.h"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>

#include "answers/tune.h"
#include "answers/verdict.h"
#include "base/text.h"

using namespace explog;
using namespace explog::answers;

TEST_CASE("bars are as wide as their share") {
  CHECK(bar(1, 3) == "███");
  CHECK(bar(2, 3) == "███");
  CHECK(bar(0.5, 3) == "█▌");
  CHECK(bar(0, 3).empty());
  CHECK(bar(std::numeric_limits<double>::quiet_NaN(), 3).empty());
  CHECK(interval_bar(1.5, 1.6, 1.7, 1, 2, 11) == "|....-o-...");
  CHECK(interval_bar(0.5, 0.6, 9, 1, 2, 5) == "o----");
  CHECK(interval_bar(2, 1, 1, 0, 1, 5).empty());
}

TEST_CASE("a verdict's intervals are drawn where a terminal has room") {
  app::Judged judged = app::judge_saved(EXPLOG_SOURCE_DIR "/tests/data/judge/h200_rope.json");
  auto printed = [&](bool interactive, int width) {
    std::ostringstream out, err;
    Terminal terminal{.out = out, .err = err, .interactive = interactive, .width = width};
    print_verdict(terminal, judged, false);
    return out.str();
  };
  CHECK(printed(true, 80).find("0.970x ..") != std::string::npos);
  CHECK(printed(false, 80).find("0.970x ..") == std::string::npos);
  CHECK(printed(true, 40).find("0.970x ..") == std::string::npos);  // no room
  std::string text = printed(true, 80);
  for (std::string_view line : split(text, '\n')) {
    if (line.find("..|") != line.npos || line.find("|..") != line.npos) CHECK(display_width(line) <= 80);
  }
}

TEST_CASE("the best configuration stands beside the original where a terminal has room") {
  app::TuneAnswer answer;
  answer.tuned.original_ms = 2, answer.tuned.best_ms = 1;
  answer.tuned.original_wins = false;
  answer.tuned.faster = 2, answer.tuned.lo = 1.9, answer.tuned.hi = 2.1;
  auto printed = [&](bool interactive, int width) {
    std::ostringstream out, err;
    Terminal terminal{.out = out, .err = err, .interactive = interactive, .width = width};
    print_tuned(terminal, answer, false);
    return out.str();
  };
  std::string text = printed(true, 40), half, whole;
  for (std::string_view line : split(text, '\n')) {
    if (line.find("█") == line.npos) continue;
    CHECK(display_width(line) <= 40);
    (half.empty() ? half : whole) = std::string(line);
  }
  CHECK(half.find("best") != half.npos);
  CHECK(whole.find("original") != whole.npos);
  CHECK(display_width(half) - 12 == (display_width(whole) - 12) / 2);
  CHECK(printed(false, 40).find("█") == std::string::npos);
  CHECK(printed(true, 25).find("█") == std::string::npos);  // no room
}
