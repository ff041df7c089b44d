#include "store/store.h"

#include <fmt/format.h>
#include "base/error.h"
#include "base/text.h"
#include "store/open.h"

namespace explog::store {
namespace {

std::string_view view_of(const Uuid& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

Uuid uuid_of(std::string_view bytes) {
  Uuid id;
  std::copy_n(bytes.begin(), std::min(bytes.size(), id.bytes.size()), id.bytes.begin());
  return id;
}

}  // namespace

Store::Store(std::string path, Clock clock)
    : path_(std::move(path)),
      clock_(std::move(clock)),
      db_(open_to_write(path_)),
      inode_(inode_of(path_)),
      projector_(db_, "main"),
      effects_(db_, "main", projector_) {
  if (db_.integer("SELECT 1 FROM deferred LIMIT 1") != 0) apply_deferred();
}

std::int64_t log_head(sql::Db& db, std::int64_t origin_no) {
  sql::Stmt last(db, "SELECT max(rid) FROM event WHERE rid>=?1 AND rid<?2");
  last.bind(1, first_rid_of(origin_no)).bind(2, first_rid_of(origin_no + 1));
  return last.step() && !last.is_null(0) ? last.integer(0) : first_rid_of(origin_no);
}

std::vector<Appended> Store::append(std::vector<Draft> drafts) {
  Bulk bulk(*this);
  std::vector<Appended> results = bulk.add(std::move(drafts));
  bulk.commit();
  return results;
}

Store::Bulk::Bulk(Store& store)
    : store_(store), transaction_(std::make_unique<Transaction>(store.db_, store.path_, store.inode_)) {}

Store::Bulk::~Bulk() { store_.projector_.forget(); }

std::vector<Appended> Store::Bulk::add(std::vector<Draft> drafts) {
  std::vector<Appended> results;
  results.reserve(drafts.size());
  store_.append_in_transaction(drafts, results);
  return results;
}

void Store::Bulk::commit() {
  store_.projector_.flush();
  transaction_->commit();
  transaction_.reset();
}

void Store::append_in_transaction(std::vector<Draft>& drafts, std::vector<Appended>& results) {
  self_ = own_origin(db_, path_);
  std::int64_t rid = log_head(db_, self_) + 1;
  sql::Stmt insert(db_, "INSERT INTO event(rid, id, kind, version, at, body) VALUES (?,?,?,?,?,?)");
  sql::Stmt by_id(db_,
                  "SELECT 1 FROM event e JOIN origin o ON o.no = e.rid >> 40 WHERE e.id=? AND o.trust > 0");
  sql::Stmt by_key(db_,
                   "SELECT e.id FROM idempotency i JOIN event e ON e.rid=i.rid"
                   " WHERE i.key=?1 AND i.rid>=?2 AND i.rid<?3 ORDER BY i.rid LIMIT 1");
  std::int64_t now = clock_();
  for (Draft& draft : drafts) {
    const std::string& key = draft.experience.idempotency_key;
    if (!key.empty()) {
      by_key.bind_text(1, key).bind(2, first_rid_of(self_)).bind(3, first_rid_of(self_ + 1));
      bool known = by_key.step();
      if (known) results.push_back({uuid_of(by_key.blob(0)), false});
      by_key.reset();
      if (known) continue;
    }
    if (draft.id) {
      by_id.bind_blob(1, view_of(*draft.id));
      bool known = by_id.step();
      by_id.reset();
      if (known) {
        results.push_back({*draft.id, false});
        continue;
      }
    }
    std::int64_t at = draft.at_ms != 0 ? draft.at_ms : now;
    Uuid id = draft.id ? *draft.id : ids_.next(now);
    insert.bind(1, rid)
        .bind_blob(2, view_of(id))
        .bind(3, static_cast<std::int64_t>(draft.kind))
        .bind(4, event_version);
    insert.bind(5, at).bind_text(6, draft.body);
    insert.run();
    if (draft.kind == Kind::experience) {
      projector_.add(rid, at, draft.experience);
      if (!key.empty()) projector_.remember_key(key, rid);
    } else {
      effects_.arrived(rid, {id, draft.kind, event_version, at, draft.body}, nullptr);
    }
    results.push_back({id, true});
    ++rid;
  }
}

void Store::apply_deferred() {
  Transaction transaction(db_, path_, inode_);
  std::vector<std::int64_t> now_known;
  sql::Stmt waiting(db_,
                    "SELECT d.rid, e.kind, e.version FROM deferred d JOIN event e ON e.rid=d.rid ORDER BY 1");
  while (waiting.step()) {
    if (understood(waiting.integer(1), waiting.integer(2))) now_known.push_back(waiting.integer(0));
  }
  for (std::int64_t rid : now_known) {
    sql::Stmt read(db_, "SELECT id, kind, version, at, body FROM event WHERE rid=?");
    read.bind(1, rid);
    read.step();
    Event event{uuid_of(read.blob(0)), static_cast<Kind>(read.integer(1)), static_cast<int>(read.integer(2)),
                read.integer(3), std::string(read.text(4))};
    auto e = is_record(read.integer(1)) ? countable(event.body) : std::nullopt;
    db_.run("DELETE FROM deferred WHERE rid=?", {rid});
    effects_.arrived(rid, event, e ? &*e : nullptr);
  }
  projector_.flush();
  transaction.commit();
}

// One event for each of `rids` that says something about it.
void Store::speak_of(const std::vector<std::int64_t>& rids, Kind kind, const std::string& reason) {
  std::vector<Draft> drafts;
  for (std::int64_t rid : rids) {
    sql::Stmt find(db_, "SELECT o.origin FROM event e JOIN origin o ON o.no = e.rid >> 40 WHERE e.rid=?");
    find.bind(1, rid);
    if (!find.step()) throw Error(Exit::usage, "no such record");
    Draft draft;
    draft.kind = kind;
    draft.body = to_json(Retraction{{std::string(find.blob(0)), sequence_of(rid)}, reason});
    drafts.push_back(std::move(draft));
  }
  append(std::move(drafts));
}

void Store::retract(const std::vector<std::int64_t>& rids, const std::string& reason) {
  sql::Stmt known(db_, "SELECT min(reason) FROM retraction r WHERE rid=? AND " + entitled);
  for (std::int64_t rid : rids) {
    known.bind(1, rid);
    if (known.step() && !known.is_null(0))
      throw Error(Exit::usage, "it is retracted already: " + printable(known.text(0)));
    known.reset();
  }
  speak_of(rids, Kind::retract, reason);
}

void Store::redact(const std::vector<std::int64_t>& rids, const std::string& reason) {
  for (std::int64_t rid : rids) {
    sql::Stmt gone(db_, "SELECT 1 FROM erased WHERE rid=?");
    gone.bind(1, rid);
    if (gone.step()) throw Error(Exit::usage, "its text is erased already");
  }
  db_.exec("PRAGMA secure_delete=ON");
  speak_of(rids, Kind::redact, reason);
  forget_text();
}

void Store::forget_text() {
  {
    Transaction transaction(db_, path_, inode_);
    db_.exec("INSERT INTO note(note) VALUES ('optimize')");  // drops the words from the index's older parts
    transaction.commit();
  }
  FileLock lock(path_ + ".lock", 60000);
  db_.exec("PRAGMA wal_checkpoint(TRUNCATE)");  // the journal holds the old pages until then
}

void Store::set_trust(std::int64_t origin_no, int trust, const std::optional<std::string>& label) {
  Transaction transaction(db_, path_, inode_);
  if (label) db_.run("UPDATE origin SET label=? WHERE no=?", {*label, origin_no});
  std::int64_t before = db_.integer("SELECT trust FROM origin WHERE no=" + std::to_string(origin_no));
  db_.run("UPDATE origin SET trust=? WHERE no=?", {std::int64_t{trust}, origin_no});
  if (before != trust) effects_.refresh_origin(origin_no);
  projector_.flush();
  transaction.commit();
}

}  // namespace explog::store
