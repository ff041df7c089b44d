// Taking back the end of an origin's log, when a signed one shows that the file had been set back to an older
// copy.
#include <vector>

#include "base/error.h"
#include "model/json.h"
#include "store/event_rows.h"
#include "store/open.h"
#include "store/receiver.h"

namespace explog::store {
namespace {

struct Place {
  std::int64_t origin_no, first;
  std::string origin;
};

// A body that speaks of an event that moved speaks of its new place.
std::string with_new_place(const std::string& body, Kind kind, const Place& from, const Place& to) {
  if (kind != Kind::retract && kind != Kind::redact) return body;
  auto retraction = parse_retraction(body);
  bool moved =
      retraction && retraction->target.origin == from.origin && retraction->target.sequence >= from.first;
  if (!moved) return body;
  retraction->target = {to.origin, retraction->target.sequence - from.first + to.first};
  return to_json(*retraction);
}

std::string origin_bytes(sql::Db& db, std::int64_t no) {
  sql::Stmt find(db, "SELECT origin FROM origin WHERE no=?");
  find.bind(1, no);
  return find.step() ? std::string(find.blob(0)) : "";
}

void move_event(sql::Db& db, Effects& effects, std::int64_t rid, const Place& from, const Place& to) {
  sql::Stmt read(db, std::string("SELECT ") + event_columns +
                         ", (SELECT digest FROM erased x WHERE x.rid=e.rid) FROM event e WHERE rid=?");
  read.bind(1, rid);
  if (!read.step()) return;
  Event event = event_in(read);
  event.body = with_new_place(event.body, event.kind, from, to);
  std::string digest(read.is_null(5) ? "" : std::string(read.blob(5)));
  read.reset();
  effects.withdraw(rid);
  std::int64_t place = first_rid_of(to.origin_no) + to.first + sequence_of(rid) - from.first;
  sql::Stmt put(db, insert_event);
  put_event(put, place, event);
  if (!digest.empty()) {
    sql::Stmt gone(db, "INSERT OR IGNORE INTO erased(rid, digest) VALUES (?,?)");
    gone.bind(1, place).bind_blob(2, digest);
    gone.run();
  }
  auto e = is_record(event.kind) ? countable(event.body) : std::nullopt;
  effects.arrived(place, event, e ? &*e : nullptr);
}

}  // namespace

void move_tail(sql::Db& db, Effects& effects, std::int64_t origin_no, std::int64_t first,
               std::optional<std::int64_t> keep_as) {
  std::vector<std::int64_t> rids;
  sql::Stmt list(db, "SELECT rid FROM event WHERE rid>=? AND rid<? ORDER BY rid");
  list.bind(1, first_rid_of(origin_no) + first).bind(2, first_rid_of(origin_no + 1));
  while (list.step()) rids.push_back(list.integer(0));
  Place from{origin_no, first, origin_bytes(db, origin_no)};
  db.run("DELETE FROM chain WHERE origin=? AND seq>=?", {origin_no, first});
  if (!keep_as) {
    for (std::int64_t rid : rids) effects.withdraw(rid);
    return;
  }
  Place to{*keep_as, sequence_of(log_head(db, *keep_as)) + 1, origin_bytes(db, *keep_as)};
  for (std::int64_t rid : rids) move_event(db, effects, rid, from, to);
}

}  // namespace explog::store
