#include "answers/terminal.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace explog::answers;

namespace {

std::string printed(const Lines& lines, bool color) {
  std::ostringstream out, err;
  Terminal terminal{.out = out, .err = err, .color = color};
  terminal.print(lines);
  CHECK(err.str().empty());
  return out.str();
}

}  // namespace

TEST_CASE("a line stays one line, and no text in it drives the terminal") {
  CHECK(printed({Line("a\nb\t\x1b[31mc")}, true) == "a\\nb\\t\\x1b[31mc\n");
  CHECK(printed({Line("a\n\tb\x1b[31m", Style::prose)}, true) == "a\n\tb\\x1b[31m\n");
}

TEST_CASE("styles are escapes of our own, around text that is harmless") {
  Lines lines = {Line{{"a\x1b", Style::bold}, {" b"}}, Line("c", Style::dim)};
  CHECK(printed(lines, true) == "\x1b[1ma\\x1b\x1b[0m b\n\x1b[2mc\x1b[0m\n");
  CHECK(printed(lines, false) == "a\\x1b b\nc\n");
}
