// H1 to H3: lines that are too large, too deep, malformed or meant for the SQL behind them.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <fstream>

#include "model/json.h"
#include "unit/hostile_session.h"

using namespace explog;
using namespace explog::hostile;
using namespace std::string_literals;

namespace {

std::string record(const std::string& more) {
  return R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90","strategy":"smem_tiling","outcome":"success")" +
         more + "}";
}

std::string good(int i) { return record(",\"notes\":\"good row " + std::to_string(i) + "\""); }

std::string repeated(const std::string& text, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

std::string many_keys(int n) {
  std::string keys;
  for (int i = 0; i < n; ++i) keys += (i > 0 ? "," : "") + json_quote("k" + std::to_string(i)) + ":1";
  return keys;
}

std::int64_t count(Session& session, const std::string& table) {
  Ran ran = session.run({"query", "--csv", "--sql", "SELECT count(*) FROM " + table});
  REQUIRE(ran.code == 0);
  return std::stoll(ran.out.substr(ran.out.find('\n') + 1));
}

void check_sound(Session& session) {
  Ran doctor = session.run({"doctor", "--rebuild"});
  CHECK(doctor.code == 0);
  CHECK(doctor.out.find("projections equal the log, bit for bit") != std::string::npos);
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

TEST_CASE("SQL in values is text") {
  const std::string payloads[] = {
      "'; DROP TABLE event; --",
      "\"; DROP TABLE event; --",
      "x' OR '1'='1",
      "x\" OR \"1\"=\"1",
      "1); DELETE FROM event; --",
      "' UNION SELECT body FROM event --",
      "%' ESCAPE '\\",
      "\\",
      "%",
      "_",
      "?1",
      ":name",
      "@x",
      "$x",
      "/* */",
      "--",
      ";",
      "0x41",
      "NULL",
      "x''y",
      "[event]",
      "`event`",
      "event\" MATCH \"x",
      "\xF0\x9F\x92\xA5'",
  };
  Session session;
  std::int64_t n = 0;
  for (const std::string& payload : payloads) {
    std::string quoted = json_quote(payload);
    std::string line = R"({"backend":"cuda","arch":"sm_90","outcome":"success","kernel_type":)" + quoted +
                       ",\"strategy\":" + quoted + ",\"kernel\":" + quoted + ",\"gpu\":" + quoted +
                       ",\"notes\":" + quoted + ",\"tags\":[" + quoted + "],\"params\":{" + quoted + ":" +
                       quoted + "},\"shape\":{" + quoted + ":1},\"state\":{" + quoted +
                       ":2},\"idempotency_key\":" + quoted + "," + json_quote("extra " + payload) + ":" +
                       quoted + "}";
    CAPTURE(payload);
    Ran ran = session.run({"add", "--jsonl", "-"}, line);
    CHECK(ran.code == 0);
    ++n;
  }
  CHECK(count(session, "experience") == n);
  CHECK(count(session, "log") == n);
  check_sound(session);
  for (const std::string& payload : payloads) {
    CAPTURE(payload);
    // Bound literally: the value comes back as it went in, and finds its own record only.
    Ran echo = session.run({"query", "--jsonl", "--sql",
                            "SELECT :v AS v, count(*) AS n FROM experience WHERE kernel = :v", "-p",
                            "v=" + payload});
    CHECK(echo.code == 0);
    CHECK(parse_json(echo.out)["n"] == 1);
    CHECK(parse_json(echo.out)["v"] == payload);
    for (const std::string& form :
         {payload, "kernel:" + payload, "gpu~" + payload, "tags:" + payload, "shape." + payload + ":1",
          "notes:\"" + payload + "\"", "\"" + payload + "\"", "-" + payload, payload + ":x",
          "sort:" + payload}) {
      CAPTURE(form);
      Ran ran = session.run({"search", form});
      CHECK((ran.code == 0 || ran.code == 1 || ran.code == 2));
      CHECK(ran.err.find(" in: ") == std::string::npos);  // no SQL of ours was broken
      CHECK(ran.err.find("fts5") == std::string::npos);
    }
    for (const char* flag :
         {"--kernel", "--backend", "--arch", "--bottleneck", "--outcome", "--strategy", "--level"}) {
      CAPTURE(flag);
      Ran ran = session.run({"list", flag, payload});
      CHECK((ran.code == 0 || ran.code == 1 || ran.code == 2));
      CHECK(ran.err.find(" in: ") == std::string::npos);
    }
    Ran recommended = session.run({"recommend", "--kernel", payload, "--backend", "cuda", "--arch", "sm_90"});
    CHECK((recommended.code == 0 || recommended.code == 1 || recommended.code == 2));
    Ran shown = session.run({"show", payload});
    CHECK((shown.code == 1 || shown.code == 2));
  }
  CHECK(session.run({"search", "kernel:x'"}).code == 1);
  CHECK(count(session, "log") == n);
  check_sound(session);
}

TEST_CASE("the text index is asked for words, never for its own language") {
  Session session;
  for (int i = 0; i < 5; ++i) session.run({"add", "--jsonl", "-"}, good(i));
  const std::string payloads[] = {"NEAR(good row)",
                                  "good AND row",
                                  "good OR nothing",
                                  "NOT good",
                                  "text:good",
                                  "{text}:good",
                                  "^good",
                                  "go*od",
                                  "\"",
                                  "\"\"",
                                  "\"\"\"",
                                  "\"good",
                                  "good\"",
                                  "(",
                                  ")",
                                  "{",
                                  "}",
                                  "^",
                                  "+",
                                  "good + row",
                                  "*",
                                  "**",
                                  "'",
                                  ",",
                                  "\\\"",
                                  "a\"b\"c",
                                  "NEAR(\"a\" \"b\", 5)",
                                  "good\x01row",
                                  "good\0row"s,
                                  "\xF0\x9F\x98\x80",
                                  "-",
                                  "--",
                                  "- -",
                                  "rank:1"};
  for (const std::string& payload : payloads) {
    CAPTURE(payload);
    for (const std::string& form :
         {payload, "good " + payload, "\"" + payload + "\"", "-\"" + payload + "\""}) {
      Ran ran = session.run({"search", "--", form});
      CHECK((ran.code == 0 || ran.code == 1 || ran.code == 2));
      CHECK(ran.err.find("fts5") == std::string::npos);
      CHECK(ran.err.find("unterminated") == std::string::npos);
      CHECK(ran.err.find(" in: ") == std::string::npos);
      CHECK(first_harmful(ran.err) == std::string::npos);
    }
  }
  CHECK(session.run({"search", "NEAR(good"}).code == 1);
  CHECK(session.run({"search", std::string(9000, 'x')}).code == 2);
  CHECK(session.run({"search", repeated("good ", 50)}).code == 0);
  CHECK(session.run({"search", repeated("good ", 51)}).code == 2);
  CHECK(session.run({"search", std::string(1000, 'x')}).code <= 2);
  CHECK(session.run({"search", "\xff"}).code == 2);
  CHECK(count(session, "log") == 5);
}

TEST_CASE("users' SQL reads and does nothing else") {
  Session session;
  session.run({"add", "--jsonl", "-"}, good(1));
  const std::string refused[] = {
      "DELETE FROM event",
      "UPDATE event SET body='x'",
      "INSERT INTO meta VALUES ('a', 'b')",
      "DROP TABLE event",
      "CREATE TABLE x(y)",
      "CREATE TEMP TABLE x(y)",
      "ALTER TABLE event RENAME TO x",
      "VACUUM",
      "VACUUM INTO '" + session.folder / "copy.db" + "'",
      "ATTACH '" + session.folder / "other.db" + "' AS other",
      "DETACH main",
      "PRAGMA user_version=7",
      "PRAGMA journal_mode=DELETE",
      "PRAGMA query_only=OFF",
      "PRAGMA writable_schema=ON",
      "BEGIN EXCLUSIVE",
      "REINDEX",
      "ANALYZE",
      "SELECT 1; DELETE FROM event",
      "SELECT load_extension('x')",
      "SELECT readfile('/etc/passwd')",
      "SELECT writefile('x', 'y')",
      "SELECT zeroblob(1000000000)",
      "SELECT fts3_tokenizer('x')",
      "INSERT INTO note(note) VALUES ('delete-all')",
      "EXPLAIN DELETE FROM event; DELETE FROM event",
      "SELECT * FROM experience WHERE",
      " ",
      ";",
      "\xff",
      "SELECT " + repeated("(", 500) + "1" + repeated(")", 500),
      "SELECT 1" + repeated(" UNION SELECT 1", 100),
      std::string(200000, ' ') + "SELECT 1",
      "SELECT 'a' REGEXP '('",
      "SELECT json_extract('{', '$.a')",
  };
  for (const std::string& sql : refused) {
    CAPTURE(sql.substr(0, 100));
    Ran ran = session.run({"query", "--sql", sql});
    CAPTURE(ran.err);
    CHECK((ran.code == 2 || ran.code == 3));
    CHECK(one_line(ran.err));
    CHECK(first_harmful(ran.err) == std::string::npos);
  }
  Ran endless =
      session.run({"query", "--timeout", "0.2", "--sql",
                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"});
  CHECK(endless.code == 2);
  CHECK(one_line(endless.err));
  CHECK_FALSE(std::filesystem::exists(session.folder / "copy.db"));
  CHECK_FALSE(std::filesystem::exists(session.folder / "other.db"));
  CHECK(count(session, "log") == 1);
  check_sound(session);
}
