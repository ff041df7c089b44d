#include "model/comments.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace explog;

TEST_CASE("comments and the contents of literals are blanked, lines and columns stay") {
  std::string source =
      "int a; // extern \"C\" x\n/* two\nlines */ char q = '\"', *s = \"a\\\"b\"; extern \"C\"";
  std::string blank = without_comments(source, {.literals = true});
  REQUIRE(blank.size() == source.size());
  CHECK(std::count(blank.begin(), blank.end(), '\n') == 2);
  CHECK(blank.find("two") == std::string::npos);
  CHECK(blank.find("char q = ' ', *s = \"    \"; extern \"C\"") != std::string::npos);
}

TEST_CASE("unfinished comments and literals end with the source or the line") {
  for (const char* source :
       {"/*", "/* x", "//", "\"", "'", "\"abc\\", "'\\", "\"abc\\\n", "/", "\"C", "*/"}) {
    CAPTURE(source);
    CHECK(without_comments(source, {.literals = true}).size() == std::string(source).size());
  }
  CHECK(without_comments("\"open\nint x;", {.literals = true}) == "\"    \nint x;");
}

TEST_CASE("literals stay unless asked for, and what looks like a comment in them is none") {
  CHECK(without_comments("s = \"// a\"; // b", {}) == "s = \"// a\";     ");
  CHECK(without_comments("'/*' x */ /* y", {.python_comments = true}) == "'/*' x */     ");
}

TEST_CASE("a # is a comment in Python, a directive in C++") {
  std::string source = "#include <a>\n# b\n## c\nx = 1 #";
  CHECK(without_comments(source, {.python_comments = true}) == "#include <a>\n   \n    \nx = 1  ");
  CHECK(without_comments(source, {}) == source);
}
