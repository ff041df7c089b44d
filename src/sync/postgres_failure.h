// What a failed statement means for the client, from its SQLSTATE (PostgreSQL manual, appendix A).
#pragma once
#include <string>
#include <string_view>

#include "sync/remote.h"

namespace explog::sync {

enum class Trouble {
  none,
  lost,   // the connection ended: what was in flight may or may not have happened
  retry,  // the server refused for now: serialisation, deadlock, locks, shutting down, too many connections
  permission,  // the role may not do this, or the password is wrong
  missing,     // no such database, schema, table or function
  stale,       // the head of the origin is not the one the batch continues
  full,        // the server's disk
  stop,        // anything else: trying again will not help
};

struct ServerFailure {
  Trouble trouble = Trouble::none;
  std::string message;  // one line, without passwords
  std::string detail;   // what the server adds
  bool failed() const { return trouble != Trouble::none; }
  bool worth_retrying() const { return trouble == Trouble::lost || trouble == Trouble::retry; }
};

Trouble trouble_of(std::string_view sqlstate);
Failure as_failure(const ServerFailure& failure, const std::string& server);

}  // namespace explog::sync
