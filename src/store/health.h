// Checks of a database, for `explog doctor`.
#pragma once
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::store {

struct HealthCheck {
  std::string name;
  bool ok = true;
  std::string detail;
  bool absent = false;  // something that may be missing is: no fault, and not fine either
};

// What SQLite finds damaged in a file, "" where that is nothing.
std::string file_fault(sql::Db& db);

// Damage, foreign keys between log and projections, holes in an origin's sequence, the text index, counts.
std::vector<HealthCheck> check_health(sql::Db& db);

}  // namespace explog::store
