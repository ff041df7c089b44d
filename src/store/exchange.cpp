#include "store/exchange.h"

#include "base/error.h"
#include "base/text.h"
#include "store/chain.h"
#include "store/open.h"
#include "store/receiver.h"

namespace explog::store {
namespace {

constexpr int segments_a_transaction = 16;
constexpr std::int64_t quarantine_rows = 10000;  // the rest is counted by the sync that met it

// A short change of its own.
template <typename Change>
void change(Store& store, Change what) {
  Transaction transaction(store.db(), store.path(), inode_of(store.path()));
  what(store.db());
  transaction.commit();
}

std::optional<Origin> own(sql::Db& db) {
  for (Origin& origin : origins(db)) {
    if (origin.self) return origin;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Origin> origins(sql::Db& db) {
  std::vector<Origin> list;
  sql::Stmt read(
      db,
      "SELECT no, origin, is_self, trust, label, via, public_key FROM origin ORDER BY is_self DESC, origin");
  while (read.step()) {
    Origin o;
    o.no = read.integer(0);
    o.id = array_of<16>(read.blob(1)).value_or(OriginId{});
    o.self = read.integer(2) == 1;
    o.trust = static_cast<int>(read.integer(3));
    o.label = read.text(4);
    o.via = read.text(5);
    if (!read.is_null(6)) o.key = array_of<32>(read.blob(6));
    o.head = sequence_of(log_head(db, o.no));
    o.signed_to = signed_to(db, o.no);
    if (o.self || o.head > 0) list.push_back(std::move(o));
  }
  return list;
}

Self prepare_self(Store& store) {
  sql::Db& db = store.db();
  Self self;
  std::optional<OwnKey> held = read_key(store.path());
  change(store, [&](sql::Db&) {
    own_origin(db, store.path());
    self.origin = own(db).value();
    bool fits = held && held->origin == self.origin.id;
    if (fits && self.origin.key) fits = public_key_of(held->seed) == *self.origin.key;
    if (!fits && self.origin.key) {
      std::int64_t old = self.origin.no, first = self.origin.signed_to + 1;
      mint_origin(db, store.path());
      self.origin = own(db).value();
      Projector projector(db, "main");
      Effects effects(db, "main", projector);
      give_up_tail(db, effects, old, first, self.origin.no);
      projector.flush();
    }
    if (!fits) {
      held = OwnKey{self.origin.id, random_seed(), 0, ""};
      write_key(store.path(), *held);
    }
    self.key = *held;
    self.origin.key = public_key_of(held->seed);
    std::string key = bytes_of(*self.origin.key);
    sql::Stmt pin(db, "UPDATE origin SET public_key=? WHERE no=?");
    pin.bind_blob(1, key).bind(2, self.origin.no);
    pin.run();
  });
  self.origin = own(db).value();
  self.set_back = self.key.seq > self.origin.head ||
                  (self.key.seq > 0 && chain_at(db, self.origin.no, self.key.seq) != self.key.hash);
  return self;
}

bool sign_some(Store& store, Self& self) {
  sql::Db& db = store.db();
  std::int64_t no = self.origin.no;
  Segment segment;
  if (signed_to(db, no) == sequence_of(log_head(db, no))) return false;
  change(store, [&](sql::Db&) {
    std::int64_t head = sequence_of(log_head(db, no)), at = signed_to(db, no);
    for (int n = 0; n < segments_a_transaction && at < head; ++n, at = segment.last()) {
      segment = unsigned_segment(db, no, at + 1, head);
      sign_segment(segment, self.key.seed);
      remember_segment(db, no, segment);
    }
    self.origin.head = head;
    self.origin.signed_to = at;
  });
  if (segment.events.empty()) return true;  // another sync was faster
  self.key.seq = segment.last();
  self.key.hash = bytes_of(segment.head);
  write_key(store.path(), self.key);
  return true;
}

std::vector<RemoteRow> remotes(sql::Db& db) {
  std::vector<RemoteRow> list;
  sql::Stmt read(
      db,
      "SELECT name, url, trust, pull_cursor, erased, tried_at, ok_at, last_error FROM remote ORDER BY name");
  while (read.step()) {
    list.push_back({std::string(read.text(0)), std::string(read.text(1)), static_cast<int>(read.integer(2)),
                    std::string(read.text(3)), read.integer(4), read.integer(5), read.integer(6),
                    std::string(read.text(7))});
  }
  return list;
}

void add_remote(Store& store, const RemoteRow& row) {
  change(store, [&](sql::Db& db) {
    db.run("INSERT OR IGNORE INTO remote(name, url, trust) VALUES (?,?,?)",
           {row.name, row.url, std::int64_t{row.trust}});
    if (db.changes() == 0)
      throw Error(Exit::usage, "there is a remote '" + printable(row.name) + "' already",
                  "explog remote remove " + printable(row.name));
  });
}

void remove_remote(Store& store, const std::string& name) {
  change(store, [&](sql::Db& db) {
    db.run("DELETE FROM remote WHERE name=?", {name});
    if (db.changes() == 0)
      throw Error(Exit::usage, "no remote '" + printable(name) + "'", "explog remote list");
    db.run("DELETE FROM quarantine WHERE remote=?", {name});
  });
}

void note_sync(Store& store, const std::string& name, std::int64_t at_ms, const std::string& error) {
  change(store, [&](sql::Db& db) {
    db.run(
        "UPDATE remote SET tried_at=?1, last_error=?2, ok_at=CASE WHEN ?2='' THEN ?1 ELSE ok_at END WHERE "
        "name=?3",
        {at_ms, error, name});
  });
}

void note_erased(Store& store, const std::string& name, std::int64_t no) {
  change(store, [&](sql::Db& db) { db.run("UPDATE remote SET erased=? WHERE name=?", {no, name}); });
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

}  // namespace explog::store
