#include <doctest/doctest.h>

#include <cstdlib>

#include "base/zstd.h"
#include "signed_log.h"
#include "sync/segment_file.h"

using namespace explog;

namespace {

Segment sample(int events = 3) {
  SignedLog log(7);
  for (int i = 0; i < events; ++i) log.experience("s" + std::to_string(i));
  return log.close();
}

std::string fault(const std::string& text) {
  auto parsed = sync::parse_lines(text);
  const auto* reason = std::get_if<std::string>(&parsed);
  return reason != nullptr ? *reason : "";
}

std::string lines_of(const Segment& s) {
  std::string text;
  sync::append_lines(text, s);
  return text;
}

}  // namespace

TEST_CASE("a sound segment holds, and any change to it is noticed") {
  Segment s = sample();
  CHECK_FALSE(fault_of(s));
  SUBCASE("body") { s.events[1].body[5] ^= 1; }
  SUBCASE("time") { ++s.events[1].at_ms; }
  SUBCASE("kind") { s.events[1].kind = 3; }
  SUBCASE("version") { s.events[1].version = 2; }
  SUBCASE("id") { s.events[1].id.bytes[3] ^= 1; }
  SUBCASE("order") { std::swap(s.events[0], s.events[1]); }
  SUBCASE("one less") { s.events.pop_back(); }
  SUBCASE("one twice") { s.events.push_back(s.events.back()); }
  SUBCASE("origin") { s.origin[0] ^= 1; }
  SUBCASE("place") { s.first = 2, s.prev = std::string(32, 'x'); }
  SUBCASE("head") { s.head[0] ^= 1; }
  SUBCASE("signature") { (*s.signature)[0] ^= 1; }
  SUBCASE("key") { s.key[0] ^= 1; }
  SUBCASE("nothing in it") { s.events.clear(); }
  SUBCASE("two lines in a body") { s.events[0].body += "\n{}"; }
  SUBCASE("no UTF-8") { s.events[0].body = "\xff"; }
  SUBCASE("too long") { s.events[0].body.assign(max_body_bytes + 1, 'x'); }
  SUBCASE("kind 0") { s.events[0].kind = 0; }
  CHECK(fault_of(s));
}

TEST_CASE("a redacted body is not needed to verify, and none may be put in its place") {
  Segment s = sample();
  s.events[1].redacted = s.events[1].body_digest();
  s.events[1].body.clear();
  CHECK_FALSE(fault_of(s));
  SUBCASE("another digest") { (*s.events[1].redacted)[0] ^= 1; }
  SUBCASE("another body") { s.events[1].body = "{}"; }
  CHECK(fault_of(s));
}

TEST_CASE("a signature of another origin's key does not hold for a copied log") {
  Segment s = sample();
  KeySeed other{};
  other.fill(9);
  Signature theirs = sign(signed_text(s), other);
  s.signature = theirs;
  CHECK(fault_of(s));
  s.key = public_key_of(other);  // holds by itself: the store refuses it by the key it has pinned
  CHECK_FALSE(fault_of(s));
}

TEST_CASE("segments read back from their lines as they were") {
  Segment s = sample();
  s.events[1].redacted = s.events[1].body_digest();
  s.events[1].body.clear();
  std::string text = lines_of(s) + lines_of(sample(1));
  auto parsed = sync::parse_lines(text);
  auto& segments = std::get<std::vector<Segment>>(parsed);
  REQUIRE(segments.size() == 2);
  CHECK(lines_of(segments[0]) + lines_of(segments[1]) == text);
  CHECK_FALSE(fault_of(segments[0]));
  CHECK(std::get<std::vector<Segment>>(sync::parse_file(compress(text))).size() == 2);
}

TEST_CASE("what is no segment is refused with a reason, wherever it was cut") {
  std::string text = lines_of(sample());
  for (size_t n = 0; n < text.size(); ++n) {
    CAPTURE(n);
    CHECK_FALSE(fault(text.substr(0, n)).empty());
  }
  std::string packed = compress(text);
  for (size_t n = 0; n < packed.size(); ++n) {
    CAPTURE(n);
    CHECK(std::holds_alternative<std::string>(sync::parse_file(packed.substr(0, n))));
  }
  CHECK(fault("{\"explog\":2}\n").find("upgrade") != std::string::npos);
  CHECK(fault("[]\n") == "its first line is malformed");
  CHECK(fault(R"({"explog":1,"origin":"../../etc","first":1,"last":1})"
              "\n") != "");
}

TEST_CASE("a flipped bit in a packed file is noticed by its name or by the chain") {
  std::string packed = compress(lines_of(sample()));
  std::string digest = sync::file_digest(packed);
  for (size_t i = 0; i < packed.size(); ++i) {
    std::string bad = packed;
    bad[i] ^= static_cast<char>(1 << (i % 8));
    CHECK(sync::file_digest(bad) != digest);
  }
}

TEST_CASE("a bomb of zeros is stopped at its limit") {
  std::string bomb = compress(std::string(size_t{80} << 20, '\0'));
  CHECK(bomb.size() < 100000);
  CHECK(std::holds_alternative<std::string>(sync::parse_file(bomb)));
  CHECK_FALSE(decompress(bomb, size_t{1} << 20));
  CHECK(decompress(compress(""), 10) == "");
}

TEST_CASE("names of files are read strictly") {
  sync::FileName name{sample().origin, 1, 255, "0123456789abcdef"};
  std::string text = sync::file_name(name);
  auto read = sync::parse_file_name(text);
  REQUIRE(read);
  CHECK(read->last == 255);
  for (const std::string& bad :
       {text + "x", "../" + text.substr(3), text.substr(1), std::string("README"), std::string(87, '-'),
        std::string(text).replace(33, 1, "-"), std::string(text).replace(0, 1, "A"),
        std::string(text).replace(33, 16, "00000000000000ff").replace(50, 16, "0000000000000001")}) {
    CAPTURE(bad);
    CHECK_FALSE(sync::parse_file_name(bad));
  }
}
