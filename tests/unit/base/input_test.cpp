#include <doctest/doctest.h>

#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "scratch.h"

using namespace explog;

namespace {

std::string utf16(const std::string& ascii, bool big, bool marked) {
  std::string text = !marked ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
  for (char c : ascii) text += big ? std::string{'\0', c} : std::string{c, '\0'};
  return text;
}

std::string read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_file("-", &in);
}

const std::string packed("\x28\xB5\x2F\xFD\x00\x68\x41\x00\x00\x6F\x6E\x65\x0A\x74\x77\x6F\x0A", 17);

}  // namespace

TEST_CASE("input: UTF-16 of both orders, with a mark or without, is read as UTF-8") {
  for (bool big : {false, true}) {
    for (bool marked : {false, true}) {
      CHECK(read(utf16("{\"a\": 1}\r\n", big, marked)) == "{\"a\": 1}\r\n");
      CHECK(read(utf16("{\n \"a\": 1}", big, marked)) == "{\n \"a\": 1}");
      std::istringstream in(utf16("one\r\ntwo", big, marked));
      LineReader lines("-", &in);
      CHECK(lines.next() == "one");
      CHECK(lines.next() == "two");
      CHECK_FALSE(lines.next());
    }
  }
}

TEST_CASE("input: pairs become one character, half a pair and half a character U+FFFD") {
  using namespace std::string_literals;
  CHECK(read("\xFF\xFE\x3D\xD8\x00\xDE"s) == "\xF0\x9F\x98\x80");
  CHECK(read("\xFF\xFE\xE9\x00\xAC\x20"s) == "\xC3\xA9\xE2\x82\xAC");
  CHECK(read("\xFF\xFE\x3D\xD8x\x00"s) == "\xEF\xBF\xBDx");
  CHECK(read("\xFF\xFEx\x00\x3D\xD8"s) == "x\xEF\xBF\xBD");
  CHECK(read("\xFF\xFEx\x00y"s) == "x\xEF\xBF\xBD");
}

TEST_CASE("input: long UTF-16 is converted in pieces") {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += "line " + std::to_string(i) + "\n";
  CHECK(read(utf16(text, false, true)) == text);
}

TEST_CASE("input: a byte order mark of UTF-8 is no text, short files are read whole") {
  CHECK(read("\xEF\xBB\xBFx") == "x");
  CHECK(read("\xEF\xBB") == "\xEF\xBB");
  CHECK(read("x") == "x");
  CHECK(read("").empty());
  using namespace std::string_literals;
  CHECK(read("\0"s) == "\0"s);
}

TEST_CASE("input: zstd is unpacked, frames one behind the other too, and broken data are named") {
  CHECK(read(packed) == "one\ntwo\n");
  CHECK(read(packed + packed) == "one\ntwo\none\ntwo\n");
  Scratch scratch;
  write_file(scratch / "a.zst", packed);
  CHECK(read_head(scratch / "a.zst", 3) == "one");
  CHECK(plain_size(scratch / "a.zst") == 0);
  CHECK_THROWS_WITH_AS(read(packed.substr(0, 12)),
                       "cannot read standard input: broken zstd data (unexpected end of file)", Error);
  std::string broken = packed;
  broken[6] = '\xFF';
  CHECK_THROWS_AS(read(broken), Error);
}
