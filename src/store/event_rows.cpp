#include "store/event_rows.h"

#include <algorithm>

namespace explog::store {

Uuid uuid_of(std::string_view blob) {
  Uuid id;
  std::copy_n(blob.begin(), std::min(blob.size(), id.bytes.size()), id.bytes.begin());
  return id;
}

std::string_view view_of(const Uuid& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

Event event_in(const sql::Stmt& row) {
  return {uuid_of(row.blob(0)), static_cast<Kind>(row.integer(1)), static_cast<int>(row.integer(2)),
          row.integer(3), std::string(row.text(4))};
}

void put_event(sql::Stmt& insert, std::int64_t rid, const Event& event) {
  insert.bind(1, rid).bind_blob(2, view_of(event.id)).bind(3, static_cast<std::int64_t>(event.kind));
  insert.bind(4, std::int64_t{event.version}).bind(5, event.at_ms).bind_text(6, event.body);
  insert.run();
}

void put_event(sql::RowWriter& rows, std::int64_t rid, const Event& event) {
  rows.add({rid, sql::Blob{view_of(event.id)}, static_cast<std::int64_t>(event.kind),
            std::int64_t{event.version}, event.at_ms, event.body});
}

std::string sql_of(Kind kind) { return std::to_string(static_cast<int>(kind)); }

std::string sql_of(std::initializer_list<Kind> kinds) {
  std::string list;
  for (Kind kind : kinds) list += (list.empty() ? "(" : ",") + sql_of(kind);
  return list + ")";
}

}  // namespace explog::store
