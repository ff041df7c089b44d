#include "store/quarantine.h"

namespace explog::store {
namespace {

constexpr std::int64_t quarantine_rows = 10000;  // the rest is counted by the sync that met it

}  // namespace

void quarantine(sql::Db& db, const QuarantineRow& row) {
  if (db.integer("SELECT count(*) FROM quarantine") >= quarantine_rows) return;
  sql::Stmt put(
      db, "INSERT OR IGNORE INTO quarantine(remote, origin, first, last, reason, at) VALUES (?,?,?,?,?,?)");
  put.bind_text(1, row.remote).bind_blob(2, row.origin).bind(3, row.first).bind(4, row.last);
  put.bind_text(5, row.reason).bind(6, row.at_ms);
  put.run();
}

std::vector<QuarantineRow> quarantined(sql::Db& db) {
  std::vector<QuarantineRow> list;
  sql::Stmt read(db, "SELECT remote, origin, first, last, reason, at FROM quarantine ORDER BY no");
  while (read.step()) {
    list.push_back({std::string(read.text(0)), std::string(read.blob(1)), read.integer(2), read.integer(3),
                    std::string(read.text(4)), read.integer(5)});
  }
  return list;
}

void forget_waiting(Store& store, const std::string& remote) {
  const std::string which =
      std::string(" FROM quarantine WHERE origin=x'' AND remote=?1 AND reason LIKE '%") + looked_at_again +
      "'";
  sql::Stmt any(store.db(), "SELECT 1" + which + " LIMIT 1");
  any.bind_text(1, remote);
  bool waiting = any.step();
  any.reset();
  if (waiting) in_transaction(store, [&](sql::Db& db) { db.run("DELETE" + which, {remote}); });
}

}  // namespace explog::store
