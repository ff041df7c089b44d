#include "store/effects.h"

#include <algorithm>
#include <array>

#include "base/sign.h"
#include "model/trust.h"
#include "store/event_rows.h"

namespace explog::store {
namespace {

bool erasable(Kind kind) {
  return kind == Kind::experience || kind == Kind::measurement || kind == Kind::device ||
         kind == Kind::configurations;
}

}  // namespace

Effects::Effects(sql::Db& db, const std::string& schema, Projector& projector)
    : db_(db),
      schema_(schema),
      projector_(projector),
      event_(db, std::string("SELECT ") + event_columns + " FROM main.event WHERE rid=?"),
      withdrawn_(db, "SELECT max((SELECT kind FROM main.event WHERE rid=r.by_rid) = " + sql_of(Kind::redact) +
                         ") FROM " + schema + ".retraction r WHERE r.rid=? AND " + entitled),
      present_(db, "SELECT 1 FROM " + schema + ".attempt WHERE rid=?"),
      same_id_(db, "SELECT rid FROM main.event WHERE id=?1 AND rid<>?2 AND kind IN " + sql_of(record_kinds) +
                       " AND body=?3"),
      trust_(db, "SELECT trust FROM main.origin WHERE no=?"),
      find_origin_(db, "SELECT no FROM main.origin WHERE origin=?"),
      add_origin_(db, "INSERT OR IGNORE INTO main.origin(origin) VALUES (?)"),
      add_retraction_(db, "INSERT OR IGNORE INTO " + schema + ".retraction VALUES (?,?,?)") {}

std::int64_t Effects::origin_number(std::string_view origin) {
  add_origin_.bind_blob(1, origin);
  add_origin_.run();
  find_origin_.bind_blob(1, origin);
  find_origin_.step();
  std::int64_t no = find_origin_.integer(0);
  find_origin_.reset();
  return no;
}

Effects::Withdrawn Effects::withdrawn(std::int64_t rid) {
  withdrawn_.bind(1, rid);
  withdrawn_.step();
  Withdrawn result = withdrawn_.is_null(0)        ? Withdrawn::no
                     : withdrawn_.integer(0) != 0 ? Withdrawn::redacted
                                                  : Withdrawn::retracted;
  withdrawn_.reset();
  return result;
}

bool Effects::blocked(std::int64_t origin_no) {
  trust_.bind(1, origin_no);
  bool blocked = trust_.step() && stored_trust(trust_.integer(0)) == Trust::blocked;
  trust_.reset();
  return blocked;
}

// Numbers of origins differ from file to file; their names and the sequences do not.
bool Effects::before(std::int64_t rid, std::int64_t other) {
  if (origin_of(rid) == origin_of(other)) return rid < other;
  sql::Stmt order(db_,
                  "SELECT a.origin < b.origin FROM main.origin a, main.origin b WHERE a.no=? AND b.no=?");
  order.bind(1, origin_of(rid)).bind(2, origin_of(other));
  return order.step() && order.integer(0) == 1;
}

// Other records with the same id and the same content, which came by another way.
std::vector<std::int64_t> Effects::copies(std::int64_t rid, const Uuid& id, std::string_view body) {
  std::string bytes = bytes_of(id.bytes);
  same_id_.bind_blob(1, bytes).bind(2, rid).bind_text(3, body);
  std::vector<std::int64_t> found;
  while (same_id_.step()) found.push_back(same_id_.integer(0));
  same_id_.reset();
  return found;
}

// Of copies the first counts, by origin and sequence, that is neither taken back nor blocked: so nobody can
// make another's record uncounted by copying it.
bool Effects::counts(std::int64_t rid, const Uuid& id, std::string_view body) {
  if (blocked(origin_of(rid)) || withdrawn(rid) != Withdrawn::no) return false;
  auto others = copies(rid, id, body);
  return std::none_of(others.begin(), others.end(), [&](std::int64_t copy) {
    return before(copy, rid) && !blocked(origin_of(copy)) && withdrawn(copy) == Withdrawn::no;
  });
}

void Effects::bring_in_line(std::int64_t rid, const Event& event, const Experience& e) {
  present_.bind(1, rid);
  bool counted = present_.step();
  present_.reset();
  bool should = counts(rid, event.id, event.body);
  if (should && !counted) projector_.add(rid, event.at_ms, e);
  if (!should && counted) projector_.remove(rid, event.at_ms, e);
}

void Effects::refresh_copies(std::int64_t rid, const Uuid& id, std::string_view body) {
  auto others = copies(rid, id, body);
  if (others.empty()) return;
  auto e = countable(body);
  if (!e) return;
  for (std::int64_t copy : others) {
    event_.bind(1, copy);
    std::int64_t at = event_.step() ? event_.integer(3) : 0;
    event_.reset();
    bring_in_line(copy, {id, Kind::experience, event_version, at, std::string(body)}, *e);
  }
}

void Effects::refresh(std::int64_t rid) {
  event_.bind(1, rid);
  if (!event_.step() || !understood(event_.integer(1), event_.integer(2))) return event_.reset();
  Event event = event_in(event_);
  event_.reset();
  if (is_record(event.kind)) {
    if (auto e = countable(event.body)) bring_in_line(rid, event, *e);
    refresh_copies(rid, event.id, event.body);
  }
  if (erasable(event.kind) && !event.body.empty() && withdrawn(rid) == Withdrawn::redacted) erase(rid, event);
}

// The record counts no longer; its words go from the text index, its body from the log. The digest stays.
void Effects::erase(std::int64_t rid, const Event& event) {
  std::string digest = bytes_of(blake2b_256(event.body));
  sql::Stmt keep(db_, "INSERT OR IGNORE INTO main.erased(rid, digest) VALUES (?,?)");
  keep.bind(1, rid).bind_blob(2, digest);
  keep.run();
  db_.run("UPDATE main.event SET body='' WHERE rid=?", {rid});
  if (auto e = countable(event.body); e && !e->idempotency_key.empty())
    db_.run("DELETE FROM " + schema_ + ".idempotency WHERE key=? AND rid=?", {e->idempotency_key, rid});
  refresh_copies(rid, event.id, event.body);
}

std::optional<std::int64_t> Effects::note(std::int64_t rid, std::int64_t kind, std::string_view body) {
  auto rid_of = [&](const EventName& name) {
    return first_rid_of(origin_number(name.origin)) + name.sequence;
  };
  auto take_back = [&](std::int64_t target, std::string_view reason) {
    add_retraction_.bind(1, target).bind(2, rid).bind_text(3, reason);
    add_retraction_.run();
    return target;
  };
  switch (static_cast<Kind>(kind)) {
    case Kind::retract:
    case Kind::redact:
      if (auto retraction = parse_retraction(body))
        return take_back(rid_of(retraction->target), retraction->reason);
      break;
    case Kind::replace:
      if (auto target = parse_replaces(body)) return take_back(rid_of(*target), "replaced by a correction");
      break;
    case Kind::verdict:
      if (auto verdict = parse_verdict(body))
        db_.run("INSERT OR IGNORE INTO " + schema_ + ".verdict VALUES (?,?,?)",
                {rid_of(verdict->target), rid, std::int64_t{verdict->reproduced}});
      break;
    case Kind::strategy_alias:
      if (auto alias = parse_strategy_alias(body))
        db_.run("INSERT OR IGNORE INTO " + schema_ + ".alias VALUES (?,?,?,?)",
                {alias->name, alias->target, alias->lamport, rid});
      break;
    case Kind::experience:
    case Kind::measurement:
    case Kind::device:
    case Kind::configurations:
      break;
  }
  return std::nullopt;
}

void Effects::arrived(std::int64_t rid, const Event& event, const Experience* parsed) {
  auto kind = static_cast<std::int64_t>(event.kind);
  if (!understood(kind, event.version))
    return db_.run("INSERT OR IGNORE INTO main.deferred VALUES (?)", {rid});
  if (auto target = note(rid, kind, event.body)) refresh(*target);
  if (parsed != nullptr) {
    if (counts(rid, event.id, event.body)) projector_.add(rid, event.at_ms, *parsed);
    if (!parsed->idempotency_key.empty()) projector_.remember_key(parsed->idempotency_key, rid);
    refresh_copies(rid, event.id, event.body);
  }
  if (erasable(event.kind) && !event.body.empty() && withdrawn(rid) == Withdrawn::redacted) refresh(rid);
}

void Effects::withdraw(std::int64_t rid) {
  event_.bind(1, rid);
  bool there = event_.step();
  Event event;
  if (there) event = event_in(event_);
  event_.reset();
  if (!there) return;
  present_.bind(1, rid);
  bool counted = present_.step();
  present_.reset();
  auto e = countable(event.body);
  if (counted && e) projector_.remove(rid, event.at_ms, *e);
  if (e && !e->idempotency_key.empty())
    db_.run("DELETE FROM " + schema_ + ".idempotency WHERE key=? AND rid=?", {e->idempotency_key, rid});
  std::vector<std::int64_t> spoken_of;
  sql::Stmt targets(db_, "SELECT rid FROM " + schema_ + ".retraction WHERE by_rid=?");
  targets.bind(1, rid);
  while (targets.step()) spoken_of.push_back(targets.integer(0));
  for (const char* table : {"retraction", "verdict", "alias"})
    db_.run("DELETE FROM " + schema_ + "." + table + " WHERE by_rid=?", {rid});
  db_.run("DELETE FROM main.deferred WHERE rid=?", {rid});
  db_.run("DELETE FROM main.erased WHERE rid=?", {rid});
  db_.run("DELETE FROM main.event WHERE rid=?", {rid});
  for (std::int64_t target : spoken_of) refresh(target);
  refresh_copies(rid, event.id, event.body);
}

void Effects::refresh_origin(std::int64_t origin_no) {
  constexpr const char* range = "rid>?1 AND rid<?2";
  std::int64_t begin = first_rid_of(origin_no), end = first_rid_of(origin_no + 1);
  sql::Stmt own(db_, std::string("SELECT rid FROM main.event WHERE ") + range);
  own.bind(1, begin).bind(2, end);
  while (own.step()) refresh(own.integer(0));
  std::vector<std::int64_t> targets;
  sql::Stmt spoken_of(db_, "SELECT rid FROM " + schema_ + ".retraction WHERE by_rid>?1 AND by_rid<?2");
  spoken_of.bind(1, begin).bind(2, end);
  while (spoken_of.step()) targets.push_back(spoken_of.integer(0));
  for (std::int64_t target : targets) refresh(target);
}

}  // namespace explog::store
