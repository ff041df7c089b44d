#include "sync/postgres_failure.h"

#include <algorithm>
#include <array>

namespace explog::sync {
namespace {

struct Row {
  std::string_view prefix;  // of the SQLSTATE: five characters, or the two of a class
  Trouble trouble;
};

// The first row that fits decides.
constexpr Row table[] = {
    {"40001", Trouble::retry},       // serialisation failure; CockroachDB: restart transaction
    {"40P01", Trouble::retry},       // deadlock
    {"55P03", Trouble::retry},       // lock_timeout
    {"53300", Trouble::retry},       // too many connections
    {"53100", Trouble::full},        // disk full
    {"57P01", Trouble::lost},        // an administrator ended the connection
    {"57P02", Trouble::lost},        // the server crashed
    {"57P03", Trouble::retry},       // starting up or shutting down
    {"57P05", Trouble::lost},        // idle session timeout
    {"57014", Trouble::retry},       // statement_timeout
    {"25P03", Trouble::lost},        // idle in transaction timeout
    {"25006", Trouble::retry},       // read-only: a standby, until it is promoted
    {"58P01", Trouble::retry},       // a file of the server is missing: it is being upgraded
    {"08", Trouble::lost},           // connection
    {"42501", Trouble::permission},  // insufficient privilege
    {"28", Trouble::permission},     // authentication
    {"3D000", Trouble::missing},     // no such database
    {"3F000", Trouble::missing},     // no such schema
    {"42P01", Trouble::missing},     // no such table
    {"42883", Trouble::missing},     // no such function
    {"23505", Trouble::stale},       // a position or event that is there already: another writer came first
    {"EXL01", Trouble::stale},       // schema/postgresql/hardened.sql raises it
};

std::string hint_of(const ServerFailure& failure) {
  bool of_tls = failure.message.find("SSL") != std::string::npos ||
                failure.message.find("certificate") != std::string::npos;
  if (failure.trouble == Trouble::lost && of_tls)
    return "off the loopback a server must prove its name; sslrootcert=FILE in the URL names who vouches for "
           "it";
  switch (failure.trouble) {
    case Trouble::permission:
      return "ask who administers the remote to make your role a member; check ~/.pgpass or PGPASSWORD";
    case Trouble::missing:
      return "`explog remote init NAME` makes explog's tables in an existing database";
    case Trouble::full:
      return "the disk of the server is full; nothing is lost here, sync again when it has room";
    default:
      return "nothing is lost here; try again";
  }
}

}  // namespace

Trouble trouble_of(std::string_view sqlstate) {
  const Row* row = std::find_if(std::begin(table), std::end(table), [&](const Row& r) {
    return sqlstate.substr(0, r.prefix.size()) == r.prefix;
  });
  return row == std::end(table) ? Trouble::stop : row->trouble;
}

Failure as_failure(const ServerFailure& failure, const std::string& server) {
  bool refused = failure.trouble == Trouble::permission || failure.trouble == Trouble::missing;
  return {refused ? Failure::Kind::refused : Failure::Kind::unreachable, server + ": " + failure.message,
          hint_of(failure)};
}

}  // namespace explog::sync
