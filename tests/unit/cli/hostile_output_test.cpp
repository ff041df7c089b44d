// H5 to H7: what records may do to the terminal, the spreadsheet or the page that shows them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "hostile_session.h"
#include "model/event.h"
#include "model/json.h"
#include "store/store.h"

using namespace explog;
using namespace explog::hostile;
using namespace std::string_literals;

namespace {

// Each drives a terminal or hides what it says, raw and not as an escape.
const std::string attacks[] = {
    "\x1b[2J\x1b[31mred",                                 // clears the screen
    "\x1b]0;title\x07",                                   // sets the title
    "\x1b]52;c;ZXZpbA==\x07",                             // OSC 52: writes the clipboard
    "\x1b]8;;http://evil.example\x1b\\ok\x1b]8;;\x1b\\",  // OSC 8: a link that says something else
    std::string("\xc2\x9b") + "31mred",                   // C1 CSI
    std::string("\xc2\x9d") + "52;c;ZXZpbA==\xc2\x9c",    // C1 OSC
    "good\rbad",                                          // overwrites the line
    "good\b\b\b\bbad",                                    // overwrites the word
    std::string("bell\x07") + "del\x7f" + "vt\x0b" + "ff\x0c",
    "nul\0end"s,
    "user\xe2\x80\xaetxt.exe",          // right-to-left override
    "\xe2\x81\xa6isolate\xe2\x81\xa9",  // bidi isolates
    "zero\xe2\x80\x8bwidth\xe2\x80\x8d\xe2\x81\xa0\xef\xbb\xbf",
    "line\xe2\x80\xa8separator\xe2\x80\xa9",
    "tag\xf3\xa0\x81\xa1\xf3\xa0\x81\xa2",  // tag characters: text for models, not for people
    "arabic\xd8\x9cmark",
};

const std::vector<std::vector<std::string>> readers = {
    {"list"},
    {"list", "--json"},
    {"list", "--jsonl"},
    {"list", "--csv"},
    {"list", "--markdown"},
    {"search", "outcome:success"},
    {"search", "outcome:success", "--json"},
    {"query", "--sql", "SELECT * FROM experience"},
    {"query", "--sql", "SELECT * FROM experience", "--json"},
    {"query", "--sql", "SELECT * FROM experience", "--jsonl"},
    {"query", "--sql", "SELECT * FROM experience", "--csv"},
    {"query", "--sql", "SELECT * FROM experience", "--markdown"},
    {"query", "--sql", "SELECT * FROM log"},
    {"query", "--sql", "SELECT * FROM log", "--json"},
    {"query", "--sql", "SELECT body AS \"\x1b[31m\" FROM log"},
    {"query", "failures"},
    {"query", "kernels"},
    {"query", "recent"},
    {"query", "strategies"},
    {"stats"},
    {"stats", "--json"},
    {"recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90"},
    {"recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--explain", "-n", "0"},
    {"recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--json"},
    {"export"},
    {"export", "--csv"},
    {"export", "--markdown"},
    {"merge", "--duplicates"},
    {"merge", "--duplicates", "--json"},
    {"doctor"},
    {"strategies"},
};

void check_harmless(const Ran& ran) {
  for (const std::string* text : {&ran.out, &ran.err}) {
    size_t at = first_harmful(*text);
    if (at == std::string::npos) continue;
    FAIL_CHECK("harmful character behind: ", printable(text->substr(at > 80 ? at - 80 : 0, 100)));
  }
}

void check_readers(Session& session) {
  for (const auto& command : readers) {
    CAPTURE(join(command, " "));
    Ran ran = session.run(command);
    CHECK((ran.code == 0 || ran.code == 1));
    CHECK((ran.code == 1 || !ran.out.empty()));
    check_harmless(ran);
  }
  Ran ids = session.run({"query", "--csv", "--sql", "SELECT id FROM log ORDER BY rid"});
  for (std::string_view id : split(trim(ids.out), '\n')) {
    if (id == "id") continue;
    for (const auto& command :
         {std::vector<std::string>{"show", std::string(id)}, {"show", std::string(id), "--json"}}) {
      Ran ran = session.run(command);
      CHECK(ran.code == 0);
      check_harmless(ran);
      if (command.size() == 3) CHECK_NOTHROW(parse_json(ran.out));
    }
  }
  for (const char* command : {"list", "export"}) {
    Ran ran = session.run({command, command == "list"s ? "--jsonl" : "outcome:success"});
    for (std::string_view line : split(trim(ran.out), '\n')) CHECK_NOTHROW(parse_json(line));
  }
}

// A record with `text` wherever a record has text.
std::string everywhere(const std::string& text) {
  std::string q = json_quote(text), line = "{";
  for (const Field& field : experience_fields()) {
    std::string name(field.name), value = q;
    if (field.member.index() == 1 || name == "outcome" || name == "kernel_type" || name == "idempotency_key")
      continue;
    if (field.member.index() == 2) value = "{" + q + ":1}";
    if (field.member.index() == 3) value = "{" + q + ":" + q + "}";
    if (field.member.index() == 4) value = "[" + q + "]";
    line += json_quote(name) + ":" + value + ",";
  }
  return line + json_quote("extra " + text) + ":{" + q + ":[" + q +
         "]},\"kernel_type\":\"gemm\",\"outcome\":\"success\"}";
}

}  // namespace

TEST_CASE("nothing that an error quotes drives the terminal") {
  Session session;
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"check", "no\x1b[31mtask", "mine.cu"},
           {"bench", "softmax", "none\x1b[31m.cu"},
           {"bench", "softmax", "none.\x1b[31m", "--json"},
           {"bench", "--from", "none\x1b[31m"},
           {"diagnose", "--flops", "1", "--bytes", "1", "--latency-ms", "1", "--dtype", "\x1b[31m"},
           {"add", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--state", "x\x1b[31m"}}) {
    CAPTURE(printable(join(command, " ")));
    Ran ran = session.run(command);
    CHECK(ran.code == 2);
    CHECK(ran.err.find("\\x1b[31m") != std::string::npos);
    check_harmless(ran);
  }
}

TEST_CASE("nothing in a record drives the terminal, in any command or format") {
  for (const std::string& attack : attacks) {
    CAPTURE(printable(attack));
    Session session;
    Ran added = session.run({"add", "--jsonl", "-"}, everywhere(attack) + "\n");
    CAPTURE(printable(added.err));
    CHECK(added.code == 0);
    check_harmless(added);
    check_harmless(session.run({"add", "--jsonl", "-", "--json"}, everywhere(attack) + "\n"));
    std::string own_type = everywhere(attack);
    own_type.replace(own_type.rfind("\"gemm\""), 6, json_quote("gemm" + attack));
    check_harmless(session.run({"add", "--jsonl", "-"}, own_type + "\n"));
    check_readers(session);
  }
}

TEST_CASE("nothing on the command line comes back to drive the terminal") {
  Session session;
  session.run({"add", "--jsonl", "-"}, everywhere("plain"));
  for (const std::string& attack : attacks) {
    CAPTURE(printable(attack));
    const std::vector<std::vector<std::string>> commands = {
        {attack},
        {"help", attack},
        {"--db", session.folder / attack, "list"},
        {"add", "--kernel", "gemm" + attack, "--backend", attack, "--arch", attack, "--strategy", attack,
         "--outcome", "success", "--notes", attack, "--params", attack + "=" + attack},
        {"add", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--latency-before", attack},
        {"add", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--shape", attack + "=" + attack},
        {"add", "--jsonl", session.folder / attack},
        {"add", "--" + attack},
        {"import", session.folder / attack},
        {"import", "--format", attack, "-"},
        {"list", "--kernel", attack},
        {"list", "--limit", attack},
        {"list", "--outcome", attack},
        {"search", attack},
        {"search", attack + ":x"},
        {"search", "notes~" + attack + "("},
        {"search", "speedup>" + attack},
        {"search", "sort:" + attack},
        {"show", attack},
        {"retract", attack, "--reason", attack},
        {"query", attack},
        {"query", "--sql", "SELECT " + attack},
        {"query", "--sql", "SELECT 1", "-p", attack},
        {"query", "--sql", "SELECT 1", "-p", attack + "=1"},
        {"recommend", "--kernel", attack, "--backend", "cuda", "--arch", "sm_90"},
        {"recommend", "--kernel", "gemm", "--backend", attack, "--arch", attack, "--bottleneck", attack},
        {"strategies", attack},
        {"merge", session.folder / attack},
        {"export", attack},
        {"completion", attack},
    };
    for (std::vector<std::string> command : commands) {
      CAPTURE(printable(join(command, " ")));
      Ran ran = session.run(command);
      CHECK((ran.code == 0 || ran.code == 1 || ran.code == 2 || ran.code == 3));
      check_harmless(ran);
      command.insert(command.begin(), "--json");
      check_harmless(session.run(command));
    }
  }
}

TEST_CASE("a reason to retract is text as well") {
  Session session;
  for (const std::string& attack : attacks) {
    session.run({"add", "--jsonl", "-"}, everywhere("plain"));
    std::string id = std::string(
        trim(session.run({"query", "--csv", "--sql", "SELECT max(id) AS id FROM experience"}).out.substr(3)));
    Ran ran = session.run({"retract", id, "--reason", attack});
    CHECK(ran.code == 0);
    check_harmless(ran);
    check_harmless(session.run({"retract", id, "--reason", attack}));
    for (const char* flag : {"--json", "--quiet"}) check_harmless(session.run({"show", id, flag}));
  }
}

TEST_CASE("a record with such characters in its raw JSON, from another database, is shown without them") {
  Session session;
  std::string path = session.folder / "other.db";
  {
    store::Store other(path, [] { return std::int64_t{1767323045000}; });
    for (const std::string& attack : attacks) {
      // Valid JSON may hold C1, bidi and tag characters raw, and white space between its values.
      bool raw = std::none_of(attack.begin(), attack.end(), [](char c) { return c >= 0 && c < 0x20; });
      std::string text = raw ? "\"" + attack + "\"" : json_quote(attack);
      store::Draft draft;
      draft.body =
          "{\"kernel_type\":\"gemm\",\r\t\"backend\":\"cuda\",\"arch\":\"sm_90\",\"strategy\":" + text +
          ",\"outcome\":\"success\",\"notes\":" + text + "}";
      draft.experience = *store::countable(draft.body);
      other.append({draft});
    }
    store::Draft odd;
    odd.kind = Kind::device;  // of a kind this version does not read
    odd.body =
        "not JSON \xc2\x9b"
        "31m \x1b[2J";
    other.append({odd});
  }
  Ran merged = session.run({"merge", path});
  CHECK(merged.code == 0);
  check_readers(session);
  Ran doctor = session.run({"doctor", "--rebuild"});
  CHECK(doctor.code == 0);
}

TEST_CASE("cells a spreadsheet would run get a leading quote; numbers stay numbers") {
  Session session;
  const std::string formulas[] = {
      "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"http://x\",\"y\")"};
  for (const std::string& formula : formulas) {
    CAPTURE(printable(formula));
    std::string quoted = json_quote(formula);
    std::string line =
        R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90","outcome":"success","speedup":1.5,"kernel":)" +
        quoted + ",\"notes\":" + quoted + "}";
    REQUIRE(session.run({"add", "--jsonl", "-"}, line).code == 0);
    for (const auto& command :
         {std::vector<std::string>{
              "query", "--csv", "--sql",
              "SELECT notes, -1.5 AS x, '-3' AS y FROM experience ORDER BY rid DESC LIMIT 1"},
          {"export", "--csv", "sort:-at"}}) {
      Ran ran = session.run(command);
      CHECK(ran.code == 0);
      check_harmless(ran);
      CHECK(ran.out.find("," + formula) == std::string::npos);
      CHECK(ran.out.find("\n" + formula) == std::string::npos);
      CHECK(ran.out.find("\"" + formula) == std::string::npos);
      CHECK(ran.out.find("'") != std::string::npos);
      if (command[0] == "query") CHECK(ran.out.find(",-1.5,-3\n") != std::string::npos);
    }
  }
  Ran named = session.run({"query", "--csv", "--sql", "SELECT 1 AS \"=1+1\""});
  CHECK(named.out == "'=1+1\n1\n");
}

TEST_CASE("a Markdown page holds no markup from records") {
  Session session;
  session.run({"add", "--jsonl", "-"}, everywhere("<script>alert(1)</script> | a | b |\n# heading\n```\n"));
  for (const auto& command : {std::vector<std::string>{"export", "--markdown"}, {"list", "--markdown"}}) {
    Ran ran = session.run(command);
    CHECK(ran.code == 0);
    CHECK(ran.out.find("<script") == std::string::npos);
    CHECK(ran.out.find("\n# heading") == std::string::npos);
    CHECK(ran.out.find("\n```") == std::string::npos);
    CHECK(ran.out.find(" | a | b |") == std::string::npos);
  }
}
