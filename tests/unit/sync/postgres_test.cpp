// PostgreSQL remotes without a server: URLs, secrets, failures, cursors.
#include <doctest/doctest.h>

#include <cstdlib>

#include "base/error.h"
#include "sync/postgres_failure.h"
#include "sync/postgres_pull.h"
#include "sync/postgres_url.h"

using namespace explog;
using namespace explog::sync;

namespace {

std::string setting(const std::string& url, const std::string& keyword) {
  for (const auto& [key, value] : parse_postgres_url(url).settings) {
    if (key == keyword) return value;
  }
  return "";
}

bool refused(const std::string& url) {
  try {
    parse_postgres_url(url);
  } catch (const Error& e) {
    CHECK(e.exit == Exit::usage);
    CHECK(std::string(e.what()).find("secret") == std::string::npos);
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a server off the loopback must prove its name unless the URL says otherwise") {
  unsetenv("PGSERVICE");
  unsetenv("PGHOST");
  unsetenv("PGHOSTADDR");
  for (const char* near :
       {"postgresql:///team", "postgresql://localhost/team", "postgresql://127.0.0.1:5433/team",
        "postgresql://[::1]/team", "postgresql://a@%2Frun%2Fpostgresql/team"})
    CHECK(setting(near, "sslmode").empty());
  for (const char* far : {"postgresql://db.example.org/team", "postgresql://10.0.0.1/team",
                          "postgresql://localhost,db.example.org/team",
                          "postgresql://localhost/team?hostaddr=10.0.0.1", "postgresql:///team?service=prod"})
    CHECK(setting(far, "sslmode") == "verify-full");
  CHECK(setting("postgresql://db.example.org/team?sslmode=require", "sslmode") == "require");
  setenv("PGSSLMODE", "disable", 1);
  CHECK(setting("postgresql://db.example.org/team", "sslmode") == "verify-full");
  unsetenv("PGSSLMODE");
}

TEST_CASE("a URL holds no password, and only names of streams that are ones") {
  CHECK(refused("postgresql://a:secret@h/team"));
  CHECK(refused("postgresql://a:sec/secret@h/team"));
  CHECK(refused("postgresql://a@h/team?password=secret"));
  CHECK(refused("postgresql://a@h/team?sslpassword=secret"));
  CHECK(refused("postgresql://a@h/team?stream="));
  CHECK(refused("postgresql://a@h/team?stream=No"));
  CHECK(refused("postgresql://a@h/team?colour=red"));
  CHECK(refused("http://h/team"));
  PostgresTarget target = parse_postgres_url("postgresql://a@h:1/team?connect_timeout=3&stream=gpu-1");
  CHECK(target.stream == "gpu-1");
  CHECK(target.shown == "a@h:1/team");
  CHECK(parse_postgres_url("postgres://h/team").stream == "main");
}

TEST_CASE("passwords are taken out of what is shown") {
  CHECK(without_passwords("at postgresql://a:secret@h/team: no") == "at postgresql://a:***@h/team: no");
  CHECK(without_passwords("postgresql://a:se@cret@h/team") == "postgresql://a:***@h/team");
  CHECK(without_passwords("host=h password=secret user=a") == "host=h password=*** user=a");
  CHECK(without_passwords("password='sec ret' user=a") == "password=*** user=a");
  CHECK(without_passwords("nothing to hide") == "nothing to hide");
}

TEST_CASE("what an SQLSTATE means") {
  for (const char* again : {"40001", "40P01", "55P03", "57P03", "53300", "25006"})
    CHECK(trouble_of(again) == Trouble::retry);
  for (const char* gone : {"57P01", "57P02", "08006", "08000"}) CHECK(trouble_of(gone) == Trouble::lost);
  CHECK(trouble_of("42501") == Trouble::permission);
  CHECK(trouble_of("28P01") == Trouble::permission);
  CHECK(trouble_of("EXL01") == Trouble::stale);
  CHECK(trouble_of("XX001") == Trouble::stop);
  CHECK(as_failure({Trouble::permission, "no", ""}, "h").kind == Failure::Kind::refused);
  CHECK(as_failure({Trouble::full, "no", ""}, "h").kind == Failure::Kind::unreachable);
}

TEST_CASE("a cursor is read back as it was written, and nothing else is one") {
  PullCursor cursor;
  cursor.epoch[0] = 7;
  cursor.position = 12;
  cursor.head = std::string(32, 'h');
  auto back = parse_pull_cursor(cursor.text());
  REQUIRE(back);
  CHECK(back->epoch == cursor.epoch);
  CHECK(back->position == 12);
  CHECK(back->head == cursor.head);
  for (const char* none : {"", "x", "00 1 00", "zz 1 ", "0700000000000000000000000000000000 -1 "})
    CHECK(!parse_pull_cursor(none));
}
