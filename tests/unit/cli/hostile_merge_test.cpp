// H11: files and events of strangers given to merge.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "hostile_session.h"
#include "model/event.h"
#include "store/open.h"
#include "store/store.h"

using namespace explog;
using namespace explog::hostile;

namespace {

std::int64_t clock_ms() { return 1767323045000; }

store::Draft experience(const std::string& strategy) {
  store::Draft draft;
  draft.body = R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90","outcome":"success","strategy":")" +
               strategy + "\"}";
  draft.experience = *store::countable(draft.body);
  return draft;
}

void make_other(const std::string& path, int records = 3) {
  store::Store other(path, clock_ms);
  for (int i = 0; i < records; ++i) other.append({experience("s" + std::to_string(i))});
}

// Changes a database behind explog's back.
void change(const std::string& path, const std::string& sql) {
  sql::Db db(path, sql::Mode::read_write);
  db.exec(sql);
}

void check_refused(Session& session, const std::string& path, const std::string& reason) {
  Ran ran = session.run({"merge", path});
  CAPTURE(ran.err);
  CHECK((ran.code == 2 || ran.code == 3));
  CHECK(one_line(ran.err));
  CHECK(first_harmful(ran.err) == std::string::npos);
  CHECK(ran.err.find(reason) != std::string::npos);
  CHECK(ran.out.empty());
  Ran count = session.run({"query", "--csv", "--sql", "SELECT count(*) FROM log"});
  CHECK(count.out == "count(*)\n1\n");
}

}  // namespace

TEST_CASE("merge refuses what is no explog database, in one line") {
  Session session;
  session.run({"add", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--outcome", "success"});
  std::string path = session.folder / "other.db";
  SUBCASE("missing") { check_refused(session, path, "there is no such file"); }
  SUBCASE("a folder") { check_refused(session, session.folder / "", ""); }
  SUBCASE("a device") { check_refused(session, "/dev/null", "not an explog database"); }
  SUBCASE("text") {
    std::ofstream(path) << std::string(5000, 'x');
    check_refused(session, path, "is no database");
  }
  SUBCASE("empty") {
    std::ofstream empty(path);
    check_refused(session, path, "not an explog database");
  }
  SUBCASE("another application's") {
    change(path, "PRAGMA application_id=252006674; CREATE TABLE event(rid); CREATE TABLE origin(no)");
    check_refused(session, path, "not an explog database");
  }
  SUBCASE("one that only claims to be ours") {
    change(path, "PRAGMA application_id=1163414599; CREATE TABLE event(x)");
    check_refused(session, path, "not an explog database");
  }
  SUBCASE("other columns") {
    change(path, "PRAGMA application_id=1163414599; CREATE TABLE event(x); CREATE TABLE origin(y)");
    check_refused(session, path, "no such column");
  }
  SUBCASE("views in place of tables: nothing of theirs is run") {
    change(path,
           "PRAGMA application_id=1163414599; CREATE VIEW event AS WITH RECURSIVE n(i) AS (SELECT 1 UNION "
           "ALL SELECT i + 1 FROM n)"
           " SELECT i AS rid, x'' AS id, 1 AS kind, 1 AS version, 0 AS at, '' AS body FROM n; CREATE VIEW "
           "origin AS SELECT 1 AS no,"
           " randomblob(16) AS origin");
    check_refused(session, path, "not an explog database");
  }
  SUBCASE("cut short") {
    make_other(path);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    check_refused(session, path, "");
  }
  SUBCASE("damaged") {
    make_other(path, 200);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (int page = 1; page < 8; ++page) {
      file.seekp(page * 8192 + 2);
      file << std::string(40, '\xEE');
    }
    file.close();
    check_refused(session, path, "");
  }
}

TEST_CASE("merge takes what is sound in a stranger's log and names what is not") {
  Session session;
  std::string path = session.folder / "other.db";
  make_other(path, 5);
  auto merged = [&](int code, const std::string& out, const std::string& reason) {
    Ran ran = session.run({"merge", path});
    CAPTURE(ran.err);
    CHECK(ran.code == code);
    CHECK(ran.out == out);
    CHECK(ran.err.find(reason) != std::string::npos);
    CHECK(first_harmful(ran.err) == std::string::npos);
    CHECK(session.run({"list"}).code == 0);
    Ran doctor = session.run({"doctor", "--rebuild"});
    CAPTURE(doctor.out);
    CHECK(doctor.code == 0);
    CHECK(doctor.out.find("bit for bit") != std::string::npos);
  };
  SUBCASE("a hole") {
    change(path, "DELETE FROM event WHERE rid & 1099511627775 = 3");
    merged(6, "added 2 events, skipped 0 (known already), rejected 1\n", "event 3 is missing before 4");
  }
  SUBCASE("a short id") {
    change(path,
           "PRAGMA ignore_check_constraints=ON; UPDATE event SET id=x'00' WHERE rid & 1099511627775 = 2");
    merged(6, "added 1 events, skipped 0 (known already), rejected 1\n", "event 2 is malformed");
  }
  SUBCASE("a body that is no UTF-8") {
    change(path, "UPDATE event SET body=CAST(x'ff1b5b324a' AS TEXT) WHERE rid & 1099511627775 = 2");
    merged(6, "added 1 events, skipped 0 (known already), rejected 1\n", "event 2 is malformed");
  }
  SUBCASE("a body that is too long") {
    change(path, "UPDATE event SET body=printf('%.*c', 299000, 'x') WHERE rid & 1099511627775 = 2");
    merged(6, "added 1 events, skipped 0 (known already), rejected 1\n", "event 2 is malformed");
  }
  SUBCASE("an origin that is none") {
    change(path,
           "PRAGMA ignore_check_constraints=ON; INSERT INTO origin(no, origin) VALUES (7, x'00');"
           "INSERT INTO event SELECT rid + (6 << 40), id, kind, version, at, body FROM event");
    merged(0, "added 5 events, skipped 0 (known already), rejected 0\n", "");
  }
  SUBCASE("bodies that are not what their kind says stay in the log and do not count") {
    change(
        path,
        "UPDATE event SET body='not JSON' WHERE rid & 1099511627775 = 1;"
        "UPDATE event SET body=printf('%.*c', 200000, '[') WHERE rid & 1099511627775 = 2;"
        "UPDATE event SET body='{\"kernel_type\":\"gemm\",\"outcome\":\"success\",\"latency_after_ms\":-5}' "
        "WHERE rid & 1099511627775 = 3;"
        "UPDATE event SET kind=99 WHERE rid & 1099511627775 = 4");
    merged(0, "added 5 events, skipped 0 (known already), rejected 0\n", "");
    CHECK(session.run({"query", "--csv", "--sql", "SELECT count(*) FROM experience"}).out == "count(*)\n1\n");
    std::string ids = session.run({"query", "--csv", "--sql", "SELECT id FROM log"}).out;
    for (std::string_view id : split(trim(ids), '\n')) {
      if (id == "id") continue;
      Ran shown = session.run({"show", std::string(id)});
      CAPTURE(shown.err);
      CHECK(shown.code == 0);
      CHECK(first_harmful(shown.out) == std::string::npos);
    }
  }
}

TEST_CASE("a retraction that makes no sense takes nothing back and stops nobody") {
  const std::string origin(32, 'a');
  for (const std::string& body : {std::string("not JSON"), std::string("{}"), std::string("[]"),
                                  std::string("17"), std::string(R"({"origin":5,"seq":1,"reason":"x"})"),
                                  R"({"origin":"zz","seq":1,"reason":"x"})" + std::string(),
                                  R"({"origin":")" + std::string(32, 'z') + R"(","seq":1,"reason":"x"})",
                                  R"({"origin":"","seq":1,"reason":"x"})" + std::string(),
                                  R"({"origin":")" + origin + R"(","seq":"1","reason":"x"})",
                                  R"({"origin":")" + origin + R"(","seq":-1,"reason":"x"})",
                                  R"({"origin":")" + origin + R"(","seq":0,"reason":"x"})",
                                  R"({"origin":")" + origin + R"(","seq":1e300,"reason":"x"})",
                                  R"({"origin":")" + origin + R"(","seq":1099511627777,"reason":"x"})",
                                  R"({"origin":")" + origin + R"(","seq":1.5,"reason":"x"})",
                                  R"({"origin":")" + origin + R"(","seq":1,"reason":null})",
                                  R"({"origin":")" + origin + R"(","seq":1})",
                                  R"({"origin":")" + origin + R"(","seq":77,"reason":"unknown target"})"}) {
    CAPTURE(body);
    Session session;
    std::string path = session.folder / "other.db";
    make_other(path);
    change(path, "UPDATE event SET kind=3, body='" + body + "' WHERE rid & 1099511627775 = 2");
    Ran merged = session.run({"merge", path});
    CAPTURE(merged.err);
    CHECK(merged.code == 0);
    CHECK(session.run({"query", "--csv", "--sql", "SELECT count(*) FROM experience"}).out == "count(*)\n2\n");
    Ran doctor = session.run({"doctor", "--rebuild"});
    CAPTURE(doctor.out);
    CHECK(doctor.code == 0);
  }
}
