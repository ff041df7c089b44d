#include "store/store.h"

#include <deque>

#include "base/error.h"
#include "base/text.h"
#include "store/event_rows.h"
#include "store/known_ids.h"
#include "store/open.h"

namespace explog::store {

Draft Draft::of(Experience experience) {
  Draft draft;
  draft.body = to_json(experience);
  draft.experience = std::move(experience);
  return draft;
}

Draft Draft::of(Kind kind, std::string body) {
  Draft draft;
  draft.kind = kind;
  draft.body = std::move(body);
  return draft;
}

Store::Store(std::string path, Clock clock)
    : path_(std::move(path)),
      clock_(std::move(clock)),
      db_(open_to_write(path_)),
      inode_(inode_of(path_)),
      events_(db_, "main.event", event_row_columns),
      projector_(db_, "main"),
      effects_(db_, "main", projector_) {
  if (db_.integer("SELECT 1 FROM deferred LIMIT 1") != 0) apply_deferred();
}

void in_transaction(Store& store, const std::function<void(sql::Db&)>& change) {
  Transaction transaction(store.db(), store.path(), inode_of(store.path()));
  change(store.db());
  transaction.commit();
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

Store::Bulk::~Bulk() {
  store_.events_.forget();
  store_.projector_.forget();
}

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
  KnownIds known_ids(db_);
  KnownKeys known_keys(db_, self_);
  std::int64_t now = clock_();
  std::deque<Event> events;  // where they stay until they are written
  auto write = [&] {
    events_.write();
    projector_.write();
  };
  for (Draft& draft : drafts) {
    const std::string& key = draft.experience.idempotency_key;
    if (!key.empty() || draft.id) write();  // what the questions below look through
    if (auto known = known_keys.of(key)) {
      results.push_back({*known, false});
      continue;
    }
    if (auto known = draft.id ? known_ids.of(draft) : std::nullopt) {
      results.push_back({*known, false});
      continue;
    }
    std::int64_t at = draft.at_ms != 0 ? draft.at_ms : now;
    events.push_back(
        {draft.id ? *draft.id : ids_.next(now), draft.kind, event_version, at, std::move(draft.body)});
    const Event& event = events.back();
    put_event(events_, rid, event);
    if (draft.kind == Kind::experience) {
      projector_.add_later(rid, at, draft.experience);
      if (!key.empty()) projector_.remember_key(key, rid);
    } else {
      write();
      effects_.arrived(rid, event, nullptr);
    }
    results.push_back({event.id, true});
    ++rid;
  }
  write();
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
    sql::Stmt read(db_, std::string("SELECT ") + event_columns + " FROM event WHERE rid=?");
    read.bind(1, rid);
    read.step();
    Event event = event_in(read);
    auto e = is_record(event.kind) ? countable(event.body) : std::nullopt;
    db_.run("DELETE FROM deferred WHERE rid=?", {rid});
    effects_.arrived(rid, event, e ? &*e : nullptr);
  }
  projector_.flush();
  transaction.commit();
}

// One event for each of `rids` that says something about it.
void Store::append_about(const std::vector<std::int64_t>& rids, Kind kind, const std::string& reason) {
  std::vector<Draft> drafts;
  for (std::int64_t rid : rids) {
    sql::Stmt find(db_, "SELECT o.origin FROM event e JOIN origin o ON o.no = e.rid >> 40 WHERE e.rid=?");
    find.bind(1, rid);
    if (!find.step()) throw Error(Exit::usage, "no such record");
    EventName target{std::string(find.blob(0)), sequence_of(rid)};
    drafts.push_back(Draft::of(kind, to_json(Retraction{target, reason})));
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
  append_about(rids, Kind::retract, reason);
}

void Store::redact(const std::vector<std::int64_t>& rids, const std::string& reason) {
  for (std::int64_t rid : rids) {
    sql::Stmt gone(db_, "SELECT 1 FROM erased WHERE rid=?");
    gone.bind(1, rid);
    if (gone.step()) throw Error(Exit::usage, "its text is erased already");
  }
  db_.exec("PRAGMA secure_delete=ON");
  append_about(rids, Kind::redact, reason);
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

void Store::set_trust(std::int64_t origin_no, Trust trust, const std::optional<std::string>& label) {
  Transaction transaction(db_, path_, inode_);
  if (label) db_.run("UPDATE origin SET label=? WHERE no=?", {*label, origin_no});
  auto number = static_cast<std::int64_t>(trust);
  std::int64_t before = db_.integer("SELECT trust FROM origin WHERE no=" + std::to_string(origin_no));
  db_.run("UPDATE origin SET trust=? WHERE no=?", {number, origin_no});
  if (before != number) effects_.refresh_origin(origin_no);
  projector_.flush();
  transaction.commit();
}

void Store::set_label(std::int64_t origin_no, const std::string& label) {
  in_transaction(*this, [&](sql::Db& db) {
    db.run("UPDATE origin SET label=? WHERE no=?", {label, origin_no});
  });
}

void Store::suggest_label(const OriginId& origin, const std::string& label) {
  std::string id = bytes_of(origin);
  sql::Stmt find(db_, "SELECT no FROM origin WHERE origin=? AND is_self=0 AND label=''");
  find.bind_blob(1, id);
  if (find.step() && valid_utf8(label))
    set_label(find.integer(0), label.substr(0, label.find_first_of("\r\n")));
}

}  // namespace explog::store
