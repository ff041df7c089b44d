#include "base/text.h"
#include "base/shared_text.h"

#include <doctest/doctest.h>

#include "base/hash.h"

using namespace explog;

TEST_CASE("printable leaves no control, bidi or zero-width character") {
  CHECK(printable("a\x1b[31mb") == "a\\x1b[31mb");
  CHECK(printable("a\nb\tc") == "a\\nb\\tc");
  CHECK(printable("a\nb", false) == "a\nb");
  CHECK(printable("\xC2\x9B") == "\\x9b");               // C1 control sequence introducer
  CHECK(printable("x\xE2\x80\xAEy") == "x\\u{202e}y");   // right-to-left override
  CHECK(printable("\xF3\xA0\x81\x81") == "\\u{e0041}");  // tag character
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("größe 🙂") == "größe 🙂");
}

TEST_CASE("numbers read and print without loss") {
  for (double x : {0.1, 1e-7, 123456789.0, 2.0 / 3, 1e20, -5.0}) CHECK(parse_number(number_text(x)) == x);
  CHECK(number_text(4096) == "4096");
  CHECK_FALSE(parse_number("1x"));
  CHECK_FALSE(parse_number("nan"));
  CHECK_FALSE(parse_number("1e999"));
  CHECK_FALSE(parse_number(""));
  CHECK(short_number(0.0012345) == "0.00123");
  CHECK(short_number(1234.5) == "1234");
}

TEST_CASE("lower and upper change ASCII letters only") {
  CHECK(lower("AbZ1é_É") == "abz1é_É");
  CHECK(upper("aBz1é_É") == "ABZ1é_É");
}

TEST_CASE("misspellings find the nearest name") {
  std::vector<std::string> names = {"memory", "compute", "latency"};
  CHECK(nearest("memroy", names) == "memory");
  CHECK_FALSE(nearest("zzzzzz", names));
  std::vector<std::string> ids = {"dsmem", "smem_tiling", "smem_padding", "warptiling"};
  CHECK(nearest("smem", ids) == "smem_tiling");  // begun, not misspelt
  CHECK(nearest("dsmen", ids) == "dsmem");
  CHECK(nearest("tiling", ids) == "warptiling");
  CHECK(edit_distance("abcd", "acbd") == 1);
}

TEST_CASE("UTF-8 is decoded strictly") {
  CHECK(valid_utf8("aé🙂"));
  CHECK_FALSE(valid_utf8("\xC0\x80"));          // overlong
  CHECK_FALSE(valid_utf8("\xED\xA0\x80"));      // surrogate
  CHECK_FALSE(valid_utf8("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  CHECK_FALSE(valid_utf8("\xE2\x82"));          // cut
}

TEST_CASE("UUIDv7 never goes back, also when the clock does") {
  UuidMaker maker;
  Uuid last;
  for (std::int64_t now : {1000LL, 1000LL, 1001LL, 5LL, 1002LL, 4102444800000LL, 1003LL}) {
    for (int i = 0; i < 5000; ++i) {
      Uuid next = maker.next(now);
      REQUIRE(next > last);
      REQUIRE(next.version() == 7);
      last = next;
    }
  }
  CHECK(parse_uuid(last.text()) == last);
  CHECK_FALSE(parse_uuid("not-a-uuid"));
}

TEST_CASE("UUIDv8 depends on the content alone") {
  CHECK(uuid_v8("a") == uuid_v8("a"));
  CHECK(uuid_v8("a") != uuid_v8("b"));
  CHECK(uuid_v8("a").version() == 8);
  // RFC 7693, appendix A gives BLAKE2b-512 of "abc"; the 128-bit digest of the empty string is a known value
  // too.
  CHECK(hex(blake2b_128("")) == "cae66941d9efbd404e4d88758ea67670");
}

TEST_CASE("shared texts are equal when they say the same") {
  SharedText unset, a = "block_x:up", b = std::string("block_x:up"), copy = a;
  CHECK((a == copy && a == b && a == "block_x:up" && a == std::string("block_x:up")));
  CHECK((a != unset && a != "block_x"));
  CHECK((unset.empty() && unset == "" && unset == SharedText("")));
  copy = "other";
  CHECK(a.text() == "block_x:up");
  CHECK((a < copy && !(copy < a)));
}
