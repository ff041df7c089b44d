#include "store/health.h"

#include <fmt/format.h>

#include "base/error.h"
#include "store/chain.h"
#include "store/read.h"

namespace explog::store {
namespace {

HealthCheck check(const std::string& name, const std::string& good, auto find_fault) {
  try {
    std::string fault = find_fault();
    return {name, fault.empty(), fault.empty() ? good : fault};
  } catch (const Error& e) {
    return {name, false, e.what()};
  }
}

}  // namespace

// SQLite before 3.41 looks at the wrong place for columns that stand before one of the primary key, as in `alias`,
// and finds NULL in columns that cannot hold it.
std::string file_fault(sql::Db& db) {
  sql::Stmt findings(db, "PRAGMA quick_check(1000000)");
  while (findings.step()) {
    std::string_view found = findings.text(0);
    if (found != "ok" && !found.starts_with("NULL value in alias.")) return std::string(found);
  }
  return "";
}

std::vector<HealthCheck> check_health(sql::Db& db) {
  std::vector<HealthCheck> checks;
  db.exec("BEGIN");  // all checks see one state: others may be writing
  checks.push_back(check("file", "no damage found", [&] {
    std::string found = file_fault(db);
    return found.empty() ? ""
                         : found + ": `explog doctor --salvage NEW.db` rescues the records that can be read";
  }));
  checks.push_back(
      check("log", fmt::format("{} events, no hole", db.integer("SELECT count(*) FROM event")), [&] {
        sql::Stmt holes(db,
                        "SELECT rid >> 40, max(rid & 1099511627775), count(*) FROM event GROUP BY rid >> 40"
                        " HAVING max(rid & 1099511627775) <> count(*)");
        if (!holes.step()) return std::string();
        return fmt::format("origin {}: sequence reaches {} but has {} events", holes.integer(0),
                           holes.integer(1), holes.integer(2));
      }));
  checks.push_back(check("chain",
                         fmt::format("{} signed segments hold",
                                     db.integer("SELECT count(*) FROM chain WHERE signature IS NOT NULL")),
                         [&] { return chain_fault(db); }));
  checks.push_back(
      check("counts", fmt::format("{} records count", db.integer("SELECT count(*) FROM attempt")), [&] {
        std::int64_t attempts = db.integer("SELECT count(*) FROM attempt");
        std::int64_t cells = count_records(db);
        return attempts == cells
                   ? ""
                   : fmt::format("{} records, but the evidence counts {}: run `explog doctor --rebuild`",
                                 attempts, cells);
      }));
  db.exec("ROLLBACK");
  return checks;
}

}  // namespace explog::store
