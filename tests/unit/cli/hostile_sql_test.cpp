// H3: text meant for the SQL, the text index or the query engine behind it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <filesystem>

#include "hostile_session.h"
#include "model/json.h"

using namespace explog;
using namespace explog::hostile;
using namespace std::string_literals;

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
