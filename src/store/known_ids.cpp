#include "store/known_ids.h"

#include "store/event_rows.h"
#include "store/projection.h"
#include "store/store.h"

namespace explog::store {

KnownIds::KnownIds(sql::Db& db)
    : find_(db, "SELECT 1 FROM event e JOIN origin o ON o.no = e.rid >> 40 WHERE e.id=? AND o.trust > 0") {}

bool KnownIds::has(const Uuid& id) {
  find_.bind_blob(1, view_of(id));
  bool known = find_.step();
  find_.reset();
  return known;
}

std::optional<Uuid> KnownIds::of(const Draft& draft) {
  if (draft.id && has(*draft.id)) return draft.id;
  for (const Uuid& id : draft.also_known_as) {
    if (has(id)) return id;
  }
  return std::nullopt;
}

KnownKeys::KnownKeys(sql::Db& db, std::int64_t origin_no)
    : origin_no_(origin_no),
      find_(db,
            "SELECT e.id FROM idempotency i JOIN event e ON e.rid=i.rid"
            " WHERE i.key=?1 AND i.rid>=?2 AND i.rid<?3 ORDER BY i.rid LIMIT 1") {}

std::optional<Uuid> KnownKeys::of(const std::string& key) {
  if (key.empty()) return std::nullopt;
  find_.bind_text(1, key).bind(2, first_rid_of(origin_no_)).bind(3, first_rid_of(origin_no_ + 1));
  std::optional<Uuid> known;
  if (find_.step()) known = uuid_of(find_.blob(0));
  find_.reset();
  return known;
}

}  // namespace explog::store
