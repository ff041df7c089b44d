// H1 and H2: lines that are too large, too deep or malformed.
#include <doctest/doctest.h>

#include <sys/resource.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "hostile_session.h"
#include "model/json.h"

using namespace explog;
using namespace explog::hostile;
using namespace std::string_literals;

namespace {

std::string many_keys(int n) {
  std::string keys;
  for (int i = 0; i < n; ++i) keys += (i > 0 ? "," : "") + json_quote("k" + std::to_string(i)) + ":1";
  return keys;
}

struct BadLine {
  const char* what;
  std::string line, reason;
};

std::vector<BadLine> bad_lines() {
  return {
      {"oversize", record(",\"notes\":\"" + std::string(300 << 10, 'x') + "\""), "longer than 256 KiB"},
      {"deep", record(",\"x\":" + repeated("[", 40) + repeated("]", 40)), "deeper than 32 levels"},
      {"deeper than the stack", repeated("[", 200000), "expected an object, got a list"},
      {"deeper than the stack inside", record(",\"x\":" + repeated("[", 200000)), "deeper than 32 levels"},
      {"deep objects", repeated("{\"a\":", 200), "deeper than 32 levels"},
      {"300 keys", record(",\"params\":{" + many_keys(300) + "}"), "more than 256 keys"},
      {"invalid UTF-8", record(",\"notes\":\"\xff\xfe\""), "UTF-8"},
      {"overlong UTF-8", record(",\"notes\":\"\xc0\xaf\""), "UTF-8"},
      {"UTF-8 surrogate", record(",\"notes\":\"\xed\xa0\x80\""), "UTF-8"},
      {"cut UTF-8", record(",\"notes\":\"\xe2\x82\""), "UTF-8"},
      {"raw NUL", record(",\"notes\":\"a\0b\""s), "NUL"},
      {"raw control", record(",\"notes\":\"a\x1b[2Jb\""), "control character"},
      {"duplicate key", record(",\"notes\":\"a\",\"notes\":\"b\""), "duplicate key \"notes\""},
      {"duplicate key in an object", record(R"(,"params":{"a":1,"a":2})"), "duplicate key \"a\""},
      {"duplicate key, escaped", record(R"(,"notes":"a","n\u006ftes":"b")"), "duplicate key \"notes\""},
      {"NaN", record(",\"latency_after_ms\":NaN"), "invalid literal"},
      {"Infinity", record(",\"latency_after_ms\":Infinity"), "invalid literal"},
      {"-Infinity", record(",\"latency_after_ms\":-Infinity"), "invalid number"},
      {"1e999", record(",\"latency_after_ms\":1e999"), "number overflow"},
      {"2^64", record(",\"latency_after_ms\":18446744073709551616"), "beyond 2^53"},
      {"-2^64", record(",\"iteration\":-18446744073709551616"), "beyond 2^53"},
      {"2^53 + 1", record(",\"iteration\":9007199254740993"), "beyond 2^53"},
      {"hex number", record(",\"iteration\":0x10"), "expected"},
      {"leading zero", record(",\"iteration\":010"), "expected"},
      {"lone surrogate", record(R"(,"notes":"\ud800")"), "surrogate"},
      {"lone low surrogate", record(R"(,"notes":"\udc00")"), "surrogate"},
      {"cut short", record("").substr(0, 60), "missing closing quote"},
      {"cut behind a value", record("").substr(0, 21), "unexpected end of input"},
      {"cut in a key", R"({"kernel_ty)", "missing closing quote"},
      {"array", "[1,2,3]", "object"},
      {"number", "17", "object"},
      {"text", "\"gemm\"", "object"},
      {"null", "null", "object"},
      {"two objects", record("") + record(""), "expected end of input"},
      {"single quotes", "{'kernel_type':'gemm'}", "invalid literal"},
      {"comment", record("/* */"), "invalid literal"},
      {"trailing comma", record(","), "expected string literal"},
      {"text for a number", record(R"(,"latency_after_ms":"fast")"), "latency_after_ms: expected a number"},
      {"number for text", record(",\"notes\":5"), "notes: expected"},
      {"text for an object", record(R"(,"shape":"big")"), "shape: expected"},
      {"text among the numbers", record(R"(,"shape":{"N":"big"})"), "shape"},
      {"list for an object", record(R"(,"params":[1])"), "params: expected"},
      {"object for a list", record(R"(,"tags":{"a":1})"), "tags: expected"},
      {"nested parameter", record(R"(,"params":{"a":{"b":1}})"), "params"},
      {"empty object", "{}", "no kernel_type"},
      {"blank kernel type", R"({"kernel_type":"  ","outcome":"success"})", "no kernel_type"},
      {"no outcome", R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90"})", "no outcome"},
      {"negative latency", record(",\"latency_before_ms\":-1,\"latency_after_ms\":1"), "latency_before_ms"},
      {"zero latency", record(",\"latency_before_ms\":1,\"latency_after_ms\":0"), "latency_after_ms"},
      {"not JSON at all", "GIF89a\x01\x02", "invalid literal"},
  };
}

}  // namespace

TEST_CASE("a bad line is refused with its number and reason; the good rows around it are stored") {
  for (const BadLine& bad : bad_lines()) {
    CAPTURE(bad.what);
    Session session;
    Ran ran = session.run({"add", "--jsonl", "-"}, good(1) + "\n" + bad.line + "\n" + good(3) + "\n");
    CAPTURE(ran.err);
    CHECK(ran.code == 6);
    CHECK(one_line(ran.err));
    CHECK(ran.err.find("refused: stdin:2: ") != std::string::npos);
    CHECK(ran.err.find(bad.reason) != std::string::npos);
    CHECK(ran.err.size() < 600);
    CHECK(first_harmful(ran.err) == std::string::npos);
    CHECK(ran.out == "added 2, skipped 0, rejected 1\n");
    CHECK(count(session, "experience") == 2);
  }
}

TEST_CASE("all bad lines in one file: each is named, all good rows are stored") {
  std::string input;
  auto bad = bad_lines();
  for (size_t i = 0; i < bad.size(); ++i) input += bad[i].line + "\n" + good(static_cast<int>(i)) + "\r\n\n";
  for (const char* command : {"add", "import"}) {
    Session session;
    Ran ran =
        command == "add"s ? session.run({"add", "--jsonl", "-"}, input) : session.run({"import", "-"}, input);
    CHECK(ran.code == 6);
    for (size_t i = 0; i < bad.size(); ++i) {
      CAPTURE(bad[i].what);
      CHECK(ran.err.find("stdin:" + std::to_string(3 * i + 1) + ": ") != std::string::npos);
    }
    CHECK(count(session, "experience") == static_cast<std::int64_t>(bad.size()));
    check_sound(session);
  }
}

TEST_CASE("odd but valid JSON is taken as it is") {
  const std::string odd[] = {
      record(",\"iteration\":-0"),
      record(",\"iteration\":-0.0"),
      record(",\"latency_after_ms\":5e-324,\"latency_before_ms\":5e-324"),
      record(R"(,"notes":"\ud83d\ude00 \u00e9 \u0000 \u001b")"),
      record(R"(,"notes":"\u0000")"),
      record(",\"notes\":\"" + std::string(16 << 10, 'x') + "\""),
      record(",\"unknown_key\":{\"a\":[1,null,true]}"),
      record(",\"params\":{" + many_keys(250) + "}"),
      "\xEF\xBB\xBF" + record(""),
      "  " + record("") + "  ",
  };
  for (const std::string& line : odd) {
    CAPTURE(line.substr(0, 200));
    Session session;
    Ran ran = session.run({"add", "--jsonl", "-"}, line);
    CHECK(ran.code == 0);
    CHECK(count(session, "experience") == 1);
    CHECK(session.run({"list", "--json"}).code == 0);
    CHECK_NOTHROW(parse_json(session.run({"export"}).out));
    check_sound(session);
  }
}

TEST_CASE("a line of one gigabyte, packed into one megabyte, is refused without using memory") {
  Session session;
  std::string zeros(1 << 20, '\0'), tail = "\n" + good(2) + "\n";
  auto member = [](const std::string& text) {
    std::string packed(text.size() + 1024, '\0');
    z_stream z{};
    REQUIRE(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    z.avail_in = static_cast<uInt>(text.size());
    z.next_out = reinterpret_cast<Bytef*>(packed.data());
    z.avail_out = static_cast<uInt>(packed.size());
    REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
    packed.resize(z.total_out);
    deflateEnd(&z);
    return packed;
  };
  std::string path = session.folder / "bomb.jsonl.gz";
  {
    std::string megabyte = member(zeros);
    std::ofstream file(path, std::ios::binary);
    for (int i = 0; i < 1024; ++i) file << megabyte;
    file << member(tail);
  }
  auto peak_kib = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  long before = peak_kib();
  Ran ran = session.run({"add", "--jsonl", path});
  CHECK(peak_kib() - before < 100 << 10);
  CHECK(ran.code == 6);
  CHECK(ran.err.find("bomb.jsonl.gz:1: longer than 256 KiB") != std::string::npos);
  CHECK(one_line(ran.err));
  CHECK(ran.out == "added 1, skipped 0, rejected 1\n");
  // A format that is read as a whole has a limit for the whole.
  Ran whole = session.run({"import", path, "--format", "experiences"});
  CHECK(whole.code == 2);
  CHECK(one_line(whole.err));
}

TEST_CASE("gzip data that breaks off or is damaged is refused in one line") {
  Session session;
  const std::string damaged[] = {"\x1f\x8b", "\x1f\x8b\x08\0\0\0\0\0\0\x03"s,
                                 "\x1f\x8b\x08\0\0\0\0\0\0\x03garbage garbage"s};
  for (const std::string& bytes : damaged) {
    std::string path = session.folder / "x.jsonl.gz";
    std::ofstream(path, std::ios::binary) << bytes;
    Ran ran = session.run({"add", "--jsonl", path});
    CHECK(ran.code == 2);
    CHECK(one_line(ran.err));
    CHECK(ran.err.find("broken gzip data") != std::string::npos);
  }
}
