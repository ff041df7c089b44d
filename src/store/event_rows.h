// Events as rows of the table event.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/sqlite.h"
#include "base/sqlite_rows.h"
#include "model/event.h"

namespace explog::store {

// An id from its column; a blob that is too short is filled up with zeros.
Uuid uuid_of(std::string_view blob);
std::string_view view_of(const Uuid& id);

// The columns of a statement that event_in() reads, and the event in its present row.
constexpr const char* event_columns = "id, kind, version, at, body";
Event event_in(const sql::Stmt& row);

// A statement for put_event(), which inserts an event.
constexpr const char* insert_event =
    "INSERT INTO event(rid, id, kind, version, at, body) VALUES (?,?,?,?,?,?)";
void put_event(sql::Stmt& insert, std::int64_t rid, const Event& event);
// The same by the writer of a whole table's rows.
constexpr std::size_t event_row_columns = 6;
void put_event(sql::RowWriter& rows, std::int64_t rid, const Event& event);

// A kind as SQL, and several as a list for IN: "(1,4)".
std::string sql_of(Kind kind);
std::string sql_of(std::initializer_list<Kind> kinds);

}  // namespace explog::store
