#include "store/history.h"

#include "store/store.h"

namespace explog::store {

std::vector<Dated> history(sql::Db& db) {
  sql::Stmt read(db, "SELECT e.at, e.body FROM attempt a JOIN event e ON e.rid = a.rid ORDER BY e.at, e.rid");
  std::vector<Dated> list;
  while (read.step()) {
    if (auto e = countable(read.text(1))) list.push_back({std::move(*e), read.integer(0)});
  }
  return list;
}

std::string setting(sql::Db& db, const std::string& name) {
  sql::Stmt read(db, "SELECT value FROM meta WHERE key=?");
  read.bind_text(1, name);
  return read.step() ? std::string(read.text(0)) : "";
}

void keep_setting(sql::Db& db, const std::string& name, const std::string& text) {
  sql::Stmt keep(
      db, text.empty() ? "DELETE FROM meta WHERE key=?1" : "INSERT OR REPLACE INTO meta VALUES (?1, ?2)");
  keep.bind_text(1, name);
  if (!text.empty()) keep.bind_text(2, text);
  keep.run();
}

}  // namespace explog::store
