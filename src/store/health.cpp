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

std::vector<HealthCheck> check_health(sql::Db& db) {
  std::vector<HealthCheck> checks;
  db.exec("BEGIN");  // all checks see one state: others may be writing
  checks.push_back(check("file", "no damage found", [&] {
    std::string found = db.text("PRAGMA quick_check(1)");
    return found == "ok" ? ""
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
