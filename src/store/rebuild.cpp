// Store::rebuild: the projections made again from the log, compared with what is there, replaced when they
// differ.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/embedded.h"
#include "base/error.h"
#include "model/event.h"
#include "store/event_rows.h"
#include "store/store.h"

namespace explog::store {
namespace {

struct Table {
  const char* name;
  const char* vocabulary;  // the FTS index is compared word by word through an fts5vocab table
};
constexpr std::array<Table, 7> tables = {{{"attempt", nullptr},
                                          {"cell", nullptr},
                                          {"retraction", nullptr},
                                          {"verdict", nullptr},
                                          {"alias", nullptr},
                                          {"idempotency", nullptr},
                                          {"note", "note_words"}}};

// The CREATE statement of `name` as the present database has it, for the temp schema.
std::string temp_create(sql::Db& db, const std::string& name) {
  sql::Stmt find(db, "SELECT sql FROM sqlite_master WHERE name=?");
  find.bind_text(1, name);
  if (!find.step())
    throw Error(Exit::store, "the table " + name + " is missing", "the file is damaged: see `explog doctor`");
  std::string sql(find.text(0));
  size_t at = sql.find("TABLE ") + 6;
  return sql.substr(0, at) + "temp." + sql.substr(at);
}

void drop_temp(sql::Db& db) {
  for (const char* schema : {"main", "temp"})
    db.exec(fmt::format("DROP TABLE IF EXISTS temp.note_words_{}", schema));
  for (const Table& table : tables) db.exec(fmt::format("DROP TABLE IF EXISTS temp.{}", table.name));
}

// Cells are compared one by one: where a page ends depends on what was counted before.
std::string rows(const Table& table, const char* schema) {
  if (table.name == std::string_view("cell"))
    return fmt::format("SELECT c.family, c.grain, r.* FROM {}.cell c, cell_row(c.first, c.cells) r", schema);
  return table.vocabulary == nullptr
             ? fmt::format("SELECT * FROM {}.{}", schema, table.name)
             : fmt::format("SELECT term, doc, col, offset FROM temp.note_words_{}", schema);
}

std::int64_t difference(sql::Db& db, const Table& table, const char* a, const char* b) {
  return db.integer(fmt::format("SELECT count(*) FROM ({} EXCEPT {})", rows(table, a), rows(table, b)));
}

// Rows that are there twice.
std::int64_t surplus(sql::Db& db, const Table& table) {
  return db.integer(fmt::format("SELECT (SELECT count(*) FROM ({})) - (SELECT count(*) FROM ({}))",
                                rows(table, "main"), rows(table, "temp")));
}

// Events about other records come first: such an event may stand before or behind the record.
void note_effects(sql::Db& db, Effects& effects) {
  sql::Stmt notes(db, "SELECT rid, kind, version, body FROM event WHERE kind NOT IN " +
                          sql_of({Kind::experience, Kind::measurement, Kind::device, Kind::configurations}) +
                          " ORDER BY rid");
  while (notes.step()) {
    if (understood(notes.integer(1), notes.integer(2)))
      effects.note(notes.integer(0), notes.integer(1), notes.text(3));
  }
}

void add_records(sql::Db& db, Effects& effects, Projector& fresh, const Reached& reached) {
  std::string records = " FROM event WHERE kind IN " + sql_of(record_kinds);
  std::int64_t n = 0, all = reached ? db.integer("SELECT count(*)" + records) : 0;
  sql::Stmt events(db, "SELECT rid, at, body, id, version" + records + " ORDER BY rid");
  while (events.step()) {
    if (reached) reached(++n, all);
    auto e = events.integer(4) <= event_version ? countable(events.text(2)) : std::nullopt;
    if (!e) continue;
    std::int64_t rid = events.integer(0);
    if (!e->idempotency_key.empty()) fresh.remember_key(e->idempotency_key, rid);
    if (effects.counts(rid, uuid_of(events.blob(3)), events.text(2))) fresh.add(rid, events.integer(1), *e);
  }
}

}  // namespace

std::vector<std::string> Store::rebuild(const Reached& reached) {
  drop_temp(db_);
  for (const Table& table : tables) db_.exec(temp_create(db_, table.name));
  Transaction transaction(db_, path_, inode_);
  {
    Projector fresh(db_, "temp");
    Effects effects(db_, "temp", fresh);
    note_effects(db_, effects);
    add_records(db_, effects, fresh, reached);
    fresh.flush();
  }
  for (const char* schema : {"main", "temp"}) {
    db_.exec(
        fmt::format("CREATE VIRTUAL TABLE temp.note_words_{0} USING fts5vocab({0}, note, instance)", schema));
  }
  std::vector<std::string> differing;
  for (const Table& table : tables) {
    std::int64_t wrong = difference(db_, table, "main", "temp");
    std::int64_t missing = difference(db_, table, "temp", "main");
    if (wrong + missing == 0) wrong = surplus(db_, table);
    if (wrong + missing == 0) continue;
    differing.push_back(
        fmt::format("{}: {} rows should not be there, {} were missing", table.name, wrong, missing));
    if (table.vocabulary != nullptr) {
      // A contentless index cannot be copied row by row; it is emptied and filled from the records again.
      db_.exec("INSERT INTO main.note(note) VALUES ('delete-all')");
      Projector refill(db_, "main");
      sql::Stmt counted(
          db_, "SELECT e.rid, e.body FROM temp.attempt a JOIN main.event e ON e.rid=a.rid ORDER BY e.rid");
      while (counted.step()) {
        if (auto e = countable(counted.text(1))) refill.add_note(counted.integer(0), *e);
      }
    } else {
      db_.exec(fmt::format("DELETE FROM main.{0}; INSERT INTO main.{0} SELECT * FROM temp.{0}", table.name));
    }
  }
  transaction.commit();
  drop_temp(db_);
  return differing;
}

}  // namespace explog::store
