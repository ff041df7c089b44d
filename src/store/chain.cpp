#include "store/chain.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/hash.h"
#include "store/event_rows.h"
#include "store/projection.h"
#include "store/store.h"

namespace explog::store {
namespace {

OriginId origin_id(sql::Db& db, std::int64_t no) {
  sql::Stmt find(db, "SELECT origin FROM origin WHERE no=?");
  find.bind(1, no);
  auto id = find.step() ? array_of<16>(find.blob(0)) : std::nullopt;
  if (!id) throw Error(Exit::store, "an origin is missing from the log", "run `explog doctor`");
  return *id;
}

// Events of an origin in order, with the digest of those whose body was erased.
class Events {
 public:
  Events(sql::Db& db, std::int64_t no, std::int64_t first, std::int64_t last)
      : read_(
            db,
            "SELECT e.rid, e.id, e.kind, e.version, e.at, e.body, CASE WHEN e.body='' THEN "
            "(SELECT digest FROM erased x WHERE x.rid=e.rid) END FROM event e WHERE e.rid>=?1 AND e.rid<=?2 "
            "ORDER BY e.rid") {
    read_.bind(1, first_rid_of(no) + first).bind(2, first_rid_of(no) + last);
  }
  bool next() { return read_.step(); }
  std::int64_t seq() const { return sequence_of(read_.integer(0)); }
  LogEvent event() const {
    LogEvent event;
    event.id = uuid_of(read_.blob(1));
    event.kind = static_cast<int>(read_.integer(2));
    event.version = static_cast<int>(read_.integer(3));
    event.at_ms = read_.integer(4);
    event.body = read_.text(5);
    if (!read_.is_null(6)) event.redacted = array_of<32>(read_.blob(6));
    return event;
  }

 private:
  sql::Stmt read_;
};

struct Link {
  std::int64_t seq = 0;
  std::string hash;
};

Link link_before(sql::Db& db, std::int64_t no, std::int64_t seq) {
  sql::Stmt find(db, "SELECT seq, hash FROM chain WHERE origin=? AND seq<=? ORDER BY seq DESC LIMIT 1");
  find.bind(1, no).bind(2, seq);
  if (!find.step()) return {};
  return {find.integer(0), std::string(find.blob(1))};
}

[[noreturn]] void missing(std::int64_t seq) {
  throw Error(Exit::store, fmt::format("event {} is missing from the log", seq), "run `explog doctor`");
}

}  // namespace

std::string chain_at(sql::Db& db, std::int64_t no, std::int64_t seq) {
  Link at = link_before(db, no, seq);
  if (at.seq == seq) return at.hash;
  OriginId origin = origin_id(db, no);
  Events events(db, no, at.seq + 1, seq);
  while (events.next()) {
    if (events.seq() != at.seq + 1) missing(at.seq + 1);
    at = {events.seq(), bytes_of(chain_step(origin, events.seq(), at.hash, events.event()))};
  }
  if (at.seq != seq) missing(at.seq + 1);
  return at.hash;
}

void remember_link(sql::Db& db, std::int64_t no, std::int64_t seq, std::string_view hash) {
  sql::Stmt keep(db, "INSERT OR IGNORE INTO chain(origin, seq, hash) VALUES (?,?,?)");
  keep.bind(1, no).bind(2, seq).bind_blob(3, hash);
  keep.run();
}

void remember_segment(sql::Db& db, std::int64_t no, const Segment& segment) {
  std::string hash = bytes_of(segment.head), signature = bytes_of(*segment.signature);
  sql::Stmt keep(db,
                 "INSERT INTO chain VALUES (?,?,?,?,?) ON CONFLICT DO UPDATE SET first=excluded.first, "
                 "signature=excluded.signature WHERE signature IS NULL");
  keep.bind(1, no).bind(2, segment.last()).bind_blob(3, hash).bind(4, segment.first).bind_blob(5, signature);
  keep.run();
}

std::int64_t signed_to(sql::Db& db, std::int64_t no) {
  sql::Stmt last(db, "SELECT max(seq) FROM chain WHERE origin=? AND signature IS NOT NULL");
  last.bind(1, no);
  return last.step() && !last.is_null(0) ? last.integer(0) : 0;
}

std::optional<Segment> signed_segment(sql::Db& db, std::int64_t no, std::int64_t after) {
  sql::Stmt find(db,
                 "SELECT c.seq, c.hash, c.first, c.signature, o.public_key FROM chain c JOIN origin o ON "
                 "o.no=c.origin WHERE c.origin=?1 AND c.seq>?2 AND c.signature IS NOT NULL AND o.public_key "
                 "IS NOT NULL ORDER BY c.seq LIMIT 1");
  find.bind(1, no).bind(2, after);
  if (!find.step() || find.integer(2) > after + 1) return std::nullopt;
  Segment segment;
  segment.origin = origin_id(db, no);
  segment.first = find.integer(2);
  segment.prev = chain_at(db, no, segment.first - 1);
  segment.head = array_of<32>(find.blob(1)).value();
  segment.signature = array_of<64>(find.blob(3));
  segment.key = array_of<32>(find.blob(4)).value();
  Events events(db, no, segment.first, find.integer(0));
  while (events.next()) segment.events.push_back(events.event());
  if (segment.last() != find.integer(0)) missing(segment.last() + 1);
  return segment;
}

Segment unsigned_segment(sql::Db& db, std::int64_t no, std::int64_t first, std::int64_t last) {
  Segment segment;
  segment.origin = origin_id(db, no);
  segment.first = first;
  segment.prev = chain_at(db, no, first - 1);
  std::string chain = segment.prev;
  size_t bytes = 0;
  Events events(db, no, first, last);
  while (segment.events.size() < max_segment_events && bytes < max_segment_bytes && events.next()) {
    if (events.seq() != segment.last() + 1) missing(segment.last() + 1);
    segment.events.push_back(events.event());
    bytes += segment.events.back().body.size();
    chain = bytes_of(chain_step(segment.origin, segment.last(), chain, segment.events.back()));
  }
  if (auto head = array_of<32>(chain)) segment.head = *head;
  return segment;
}

std::string chain_fault(sql::Db& db) {
  sql::Stmt origins(db, "SELECT DISTINCT origin FROM chain ORDER BY origin");
  while (origins.step()) {
    std::int64_t no = origins.integer(0);
    OriginId origin = origin_id(db, no);
    sql::Stmt links(db, "SELECT seq, hash FROM chain WHERE origin=? ORDER BY seq");
    links.bind(1, no);
    std::string chain;
    std::int64_t at = 0;
    while (links.step()) {
      Events events(db, no, at + 1, links.integer(0));
      while (events.next()) {
        at = events.seq();
        chain = bytes_of(chain_step(origin, at, chain, events.event()));
      }
      if (at != links.integer(0) || chain != links.blob(1))
        return fmt::format("origin {}: event {} or one before it is not what its origin wrote",
                           hex(origin).substr(0, 8), links.integer(0));
    }
  }
  return "";
}

}  // namespace explog::store
