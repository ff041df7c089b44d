#include "sync/postgres_init.h"

#include <fmt/format.h>

#include "base/embedded.h"
#include "base/text.h"

namespace explog::sync {
namespace {

std::string sql_file(const std::string& name) {
  return std::string(embedded_file("schema/postgresql/" + name + ".sql").value());
}

std::string quoted(const std::string& role) { return '"' + replace_all(role, "\"", "\"\"") + '"'; }

class Founder {
 public:
  Founder(PostgresConnection& connection, const Founding& founding)
      : connection_(connection), founding_(founding) {}

  ServerFailure found() {
    ServerFailure failure;
    auto done = [&](ServerFailure result) { return (failure = std::move(result)).failed(); };
    if (done(connection_.run("BEGIN")) || done(connection_.run(sql_file("tables"))) || done(settle_tier()))
      return failure;
    if (tier_ == "hardened" && done(connection_.run(sql_file("hardened")))) return failure;
    if (done(make_stream())) return failure;
    for (const std::string& role : founding_.members) {
      if (done(admit(role, false))) return failure;
    }
    for (const std::string& role : founding_.moderators) {
      if (done(admit(role, true))) return failure;
    }
    return connection_.run("COMMIT");
  }

  std::string report() const {
    size_t roles = founding_.members.size() + founding_.moderators.size();
    std::string text = fmt::format("{}: stream {} of the {} tier is ready", connection_.target().shown,
                                   connection_.target().stream, tier_);
    return roles == 0 ? text : fmt::format("{}, with {} members", text, roles);
  }

 private:
  // The tier is chosen once: what is there wins when nothing else was asked for.
  ServerFailure settle_tier() {
    Values wanted;
    wanted.text(founding_.hardened ? "hardened" : "plain");
    ServerFailure failure =
        connection_.ask("INSERT INTO explog.meta VALUES ('tier', $1) ON CONFLICT DO NOTHING", wanted);
    if (!failure.failed()) {
      failure = connection_.ask("SELECT value FROM explog.meta WHERE key = 'tier'", {},
                                [&](const RowView& row) { tier_ = row.text(0); });
    }
    if (!failure.failed() && founding_.hardened && tier_ != "hardened")
      return {Trouble::stop, "it holds a log of the plain tier, and the tier of a log does not change", ""};
    return failure;
  }

  ServerFailure make_stream() {
    Values values;
    values.text(connection_.target().stream).uuid(random_bytes16());
    return connection_.ask("INSERT INTO explog.stream(stream, epoch) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                           values);
  }

  ServerFailure admit(const std::string& role, bool moderator) {
    if (tier_ == "plain" && moderator) return {Trouble::stop, "only the hardened tier has moderators", ""};
    if (tier_ == "plain") {
      return connection_.run("GRANT USAGE ON SCHEMA explog TO " + quoted(role) +
                             "; GRANT SELECT, INSERT, UPDATE ON explog.stream, explog.origin, explog.batch, "
                             "explog.event TO " +
                             quoted(role) + "; GRANT SELECT ON explog.meta, explog.welcome TO " +
                             quoted(role));
    }
    ServerFailure failure = connection_.run("GRANT explog_user TO " + quoted(role));
    if (failure.failed()) return failure;
    Values values;
    values.text(connection_.target().stream).text(role).boolean(moderator);
    return connection_.ask(
        "INSERT INTO explog.member(stream, role, can_push, moderator) VALUES ($1, CAST($2 AS name), true, "
        "$3) "
        "ON CONFLICT (stream, role) DO UPDATE SET can_push = true, moderator = excluded.moderator",
        values);
  }

  PostgresConnection& connection_;
  const Founding& founding_;
  std::string tier_;
};

}  // namespace

Outcome<std::string> init_postgres(PostgresConnection& connection, const Founding& founding) {
  ServerFailure failure = connection.open();
  Founder founder(connection, founding);
  if (!failure.failed()) failure = founder.found();
  if (!failure.failed()) return founder.report();
  Failure told = as_failure(failure, connection.target().shown);
  if (failure.trouble == Trouble::stop) told.kind = Failure::Kind::refused;
  return told;
}

}  // namespace explog::sync
