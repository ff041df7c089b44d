#include "store/remotes.h"

#include "base/error.h"
#include "base/text.h"

namespace explog::store {

std::vector<RemoteRow> remotes(sql::Db& db) {
  std::vector<RemoteRow> list;
  sql::Stmt read(
      db,
      "SELECT name, url, trust, pull_cursor, erased, tried_at, ok_at, last_error FROM remote ORDER BY name");
  while (read.step()) {
    list.push_back({std::string(read.text(0)), std::string(read.text(1)), stored_trust(read.integer(2)),
                    std::string(read.text(3)), read.integer(4), read.integer(5), read.integer(6),
                    std::string(read.text(7))});
  }
  return list;
}

void add_remote(Store& store, const RemoteRow& row) {
  in_transaction(store, [&](sql::Db& db) {
    db.run("INSERT OR IGNORE INTO remote(name, url, trust) VALUES (?,?,?)",
           {row.name, row.url, static_cast<std::int64_t>(row.trust)});
    if (db.changes() == 0)
      throw Error(Exit::usage, "there is a remote '" + printable(row.name) + "' already",
                  "explog remote remove " + printable(row.name));
  });
}

void remove_remote(Store& store, const std::string& name) {
  in_transaction(store, [&](sql::Db& db) {
    db.run("DELETE FROM remote WHERE name=?", {name});
    if (db.changes() == 0)
      throw Error(Exit::usage, "no remote '" + printable(name) + "'", "explog remote list");
    db.run("DELETE FROM quarantine WHERE remote=?", {name});
  });
}

void note_sync(Store& store, const std::string& name, std::int64_t at_ms, const std::string& error) {
  in_transaction(store, [&](sql::Db& db) {
    db.run(
        "UPDATE remote SET tried_at=?1, last_error=?2, ok_at=CASE WHEN ?2='' THEN ?1 ELSE ok_at END WHERE "
        "name=?3",
        {at_ms, error, name});
  });
}

void note_erased(Store& store, const std::string& name, std::int64_t no) {
  in_transaction(store, [&](sql::Db& db) { db.run("UPDATE remote SET erased=? WHERE name=?", {no, name}); });
}

void set_cursor(sql::Db& db, const std::string& name, const std::string& cursor) {
  db.run("UPDATE remote SET pull_cursor=? WHERE name=?", {cursor, name});
}

std::vector<ErasedRow> erased_since(sql::Db& db, std::int64_t no) {
  std::vector<ErasedRow> list;
  sql::Stmt read(db,
                 "SELECT x.no, o.origin, x.rid, x.digest FROM erased x JOIN origin o ON o.no = x.rid >> 40 "
                 "WHERE x.no>? ORDER BY x.no");
  read.bind(1, no);
  while (read.step()) {
    list.push_back({read.integer(0), array_of<16>(read.blob(1)).value_or(OriginId{}),
                    sequence_of(read.integer(2)), array_of<32>(read.blob(3)).value_or(Digest{})});
  }
  return list;
}

}  // namespace explog::store
