#include "store/origins.h"

#include "store/chain.h"
#include "store/open.h"
#include "store/receiver.h"

namespace explog::store {
namespace {

constexpr int segments_a_transaction = 16;

}  // namespace

std::optional<Origin> own(sql::Db& db) {
  for (Origin& origin : origins(db)) {
    if (origin.self) return origin;
  }
  return std::nullopt;
}

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
    o.trust = stored_trust(read.integer(3));
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
  in_transaction(store, [&](sql::Db&) {
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
      move_tail(db, effects, old, first, self.origin.no);
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
  in_transaction(store, [&](sql::Db&) {
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

}  // namespace explog::store
