#include "store/store.h"

#include <fmt/format.h>
#include "base/error.h"
#include "base/text.h"
#include "model/check.h"
#include "model/json.h"
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

// Whether the event `rid` with content id `id` is the one of its group that counts: the first.
bool first_of_its_content(sql::Db& db, std::int64_t rid, const Uuid& id) {
  if (id.version() != 8) return true;
  sql::Stmt find(db, "SELECT min(rid) FROM event WHERE id=? AND kind=1");
  find.bind_blob(1, view_of(id));
  return !find.step() || find.is_null(0) || find.integer(0) >= rid;
}

}  // namespace

std::optional<Experience> countable(std::string_view body) {
  try {
    Experience e = parse_experience(body);
    if (prepare(e, "replicated").refused) return std::nullopt;
    return e;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

Store::Store(std::string path, Clock clock)
    : path_(std::move(path)),
      clock_(std::move(clock)),
      db_(open_to_write(path_)),
      inode_(inode_of(path_)),
      projector_(db_, "main") {}

std::int64_t Store::head(std::int64_t origin_no) {
  sql::Stmt last(db_, "SELECT max(rid) FROM event WHERE rid>=?1 AND rid<?2");
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
  std::int64_t rid = head(self_) + 1;
  sql::Stmt insert(db_, "INSERT INTO event(rid, id, kind, version, at, body) VALUES (?,?,?,?,?,?)");
  sql::Stmt by_id(db_, "SELECT 1 FROM event WHERE id=?");
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
    } else if (draft.kind == Kind::retract) {
      apply_retraction(rid, draft.body);
    }
    results.push_back({id, true});
    ++rid;
  }
}

void Store::refresh(std::int64_t rid) {
  sql::Stmt event(db_, "SELECT id, kind, at, body FROM event WHERE rid=?");
  event.bind(1, rid);
  if (!event.step() || event.integer(1) != static_cast<std::int64_t>(Kind::experience)) return;
  auto e = countable(event.text(3));
  if (!e) return;
  sql::Stmt retracted(db_, "SELECT 1 FROM retraction WHERE rid=?");
  sql::Stmt present(db_, "SELECT 1 FROM attempt WHERE rid=?");
  retracted.bind(1, rid);
  present.bind(1, rid);
  bool counted = present.step();
  bool counts = !retracted.step() && first_of_its_content(db_, rid, uuid_of(event.blob(0)));
  if (counts && !counted) projector_.add(rid, event.integer(2), *e);
  if (!counts && counted) projector_.remove(rid, event.integer(2), *e);
  if (!e->idempotency_key.empty()) projector_.remember_key(e->idempotency_key, rid);
}

void Store::apply_retraction(std::int64_t by_rid, std::string_view body) {
  auto retraction = parse_retraction(body);
  if (!retraction) return;
  std::string origin;
  for (size_t i = 0; i < retraction->origin.size(); i += 2)
    origin += static_cast<char>(std::stoi(retraction->origin.substr(i, 2), nullptr, 16));
  std::int64_t target = first_rid_of(origin_number(origin)) + retraction->sequence;
  db_.run("INSERT OR IGNORE INTO retraction VALUES (?,?,?)", {target, by_rid, retraction->reason});
  refresh(target);
}

std::int64_t Store::origin_number(std::string_view origin) {
  sql::Stmt insert(db_, "INSERT OR IGNORE INTO origin(origin) VALUES (?)");
  insert.bind_blob(1, origin);
  insert.run();
  sql::Stmt find(db_, "SELECT no FROM origin WHERE origin=?");
  find.bind_blob(1, origin);
  find.step();
  return find.integer(0);
}

void Store::retract(const std::vector<std::int64_t>& rids, const std::string& reason) {
  std::vector<Draft> drafts;
  for (std::int64_t rid : rids) {
    sql::Stmt find(db_,
                   "SELECT lower(hex(o.origin)), (SELECT min(reason) FROM retraction WHERE rid=?1) FROM "
                   "origin o WHERE o.no=?2");
    find.bind(1, rid).bind(2, origin_of(rid));
    if (!find.step()) throw Error(Exit::usage, "no such record");
    if (!find.is_null(1)) throw Error(Exit::usage, "it is retracted already: " + printable(find.text(1)));
    Draft draft;
    draft.kind = Kind::retract;
    JsonWriter json;
    json.begin_object();
    json.key("origin"), json.text(find.text(0));
    json.key("seq"), json.number(static_cast<double>(sequence_of(rid)));
    json.key("reason"), json.text(reason);
    json.end_object();
    draft.body = json.take();
    drafts.push_back(std::move(draft));
  }
  append(std::move(drafts));
}

}  // namespace explog::store
