#include "model/recipe.h"

#include <doctest/doctest.h>

#include "model/playbook.h"

using namespace explog;

TEST_CASE("a recipe's first step and falsifier are whole, short and on one line") {
  const char* prose =
      "## When\nAlways.\n\n## Steps\n1. Find the worst\n   load.\n2. Mend it.\n\n## Before and after\n`a`\n\n"
      "## Falsify cheaply\nLook at the\nratio. Above 30 there is nothing. And a third sentence that goes "
      "on.\n\n"
      "## Risks\nNone.\n";
  CHECK(first_step(prose) == "Find the worst load.");
  CHECK(falsifier(prose, 50) == "Look at the ratio. Above 30 there is nothing.");
  CHECK(falsifier(prose, 12) == "Look at...");
  CHECK(first_step("no headings") == "");
}

TEST_CASE("every strategy of the playbook says what to do first and how to find out that it will not help") {
  Playbook playbook = Playbook::load("");
  for (const Strategy& s : playbook.all()) {
    CAPTURE(s.id);
    std::string prose = Playbook::prose(s), step = first_step(prose), test = falsifier(prose);
    CHECK(step.size() > 10);
    CHECK(test.size() > 10);
    CHECK(step.size() <= 160);
    CHECK(test.find('\n') == std::string::npos);
  }
}
