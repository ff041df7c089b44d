#include "store/known_ids.h"

#include "store/event_rows.h"
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

}  // namespace explog::store
