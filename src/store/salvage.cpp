#include "store/salvage.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/file.h"
#include "base/hash.h"
#include "base/sqlite_pages.h"
#include "base/text.h"
#include "model/json.h"
#include "store/event_rows.h"
#include "store/open.h"
#include "store/shipped.h"

namespace explog::store {
namespace {

constexpr std::size_t batch = 2000;
constexpr std::int64_t highest_origin = std::int64_t{1} << 22;

const std::string* bytes_in(const sql::LooseRow& row, std::size_t column, bool text) {
  return row.is_text[column] == text ? std::get_if<std::string>(&row.columns[column]) : nullptr;
}

std::optional<std::int64_t> integer_in(const sql::LooseRow& row, std::size_t column) {
  const auto* value = std::get_if<std::int64_t>(&row.columns[column]);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

// A row of the table event by its form: NULL, 16 bytes, three integers, text.
bool is_event(const sql::LooseRow& row) {
  if (row.columns.size() != 6 || !std::holds_alternative<std::monostate>(row.columns[0])) return false;
  const std::string* id = bytes_in(row, 1, false);
  return id != nullptr && id->size() == 16 && integer_in(row, 2) && integer_in(row, 3) &&
         integer_in(row, 4) && bytes_in(row, 5, true) != nullptr && row.rowid > first_rid_of(1) &&
         row.rowid < first_rid_of(highest_origin);
}

// What it holds is what was written, as far as that can be told: its id is its content's, or it is at least JSON.
bool is_sound(const sql::LooseRow& row) {
  std::int64_t kind = *integer_in(row, 2), version = *integer_in(row, 3);
  const std::string& body = *bytes_in(row, 5, true);
  if (kind <= 0 || kind > 0x7FFF || version <= 0 || version > 0x7FFF || !valid_utf8(body)) return false;
  if (body.empty()) return true;  // erased
  Uuid id = uuid_of(*bytes_in(row, 1, false));
  if (id.version() == 8) return uuid_v8(body) == id;
  try {
    return parse_json(body).is_object();
  } catch (const JsonError&) {
    return false;
  }
}

// A row of the table origin: NULL, 16 bytes, whether it is our own, and since version 4 how far it is believed, its
// key, its label and where it came from.
bool is_origin(const sql::LooseRow& row) {
  if (row.columns.size() != 3 && row.columns.size() != 7) return false;
  const std::string* id = bytes_in(row, 1, false);
  auto self = integer_in(row, 2);
  return std::holds_alternative<std::monostate>(row.columns[0]) && id != nullptr && id->size() == 16 &&
         self && (*self == 0 || *self == 1) && row.rowid > 0 && row.rowid < highest_origin;
}

// The sound rows in a database of their own, which `merge` can read. Its file goes with the object.
class Found {
 public:
  explicit Found(const std::string& path) : path_(path), db_(open(path)) {
    db_.exec(
        fmt::format("PRAGMA application_id={}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                    "CREATE TABLE origin(no INTEGER PRIMARY KEY, origin BLOB, trust INTEGER, label TEXT);"
                    "CREATE TABLE event(rid INTEGER PRIMARY KEY, id BLOB, kind INTEGER, version INTEGER, at "
                    "INTEGER, body TEXT); BEGIN",
                    application_id));
  }
  ~Found() { std::filesystem::remove(path_, ignored_); }
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;

  // An event may stand in several pages, old ones among them: one whose text was erased stays erased.
  void add(const sql::LooseRow& row) {
    bool erased = bytes_in(row, 5, true)->empty();
    sql::Stmt put(db_, erased ? "INSERT OR REPLACE INTO event VALUES (?,?,?,?,?,?)"
                              : "INSERT OR IGNORE INTO event VALUES (?,?,?,?,?,?)");
    put.bind(1, row.rowid).bind_blob(2, *bytes_in(row, 1, false)).bind(3, *integer_in(row, 2));
    put.bind(4, *integer_in(row, 3)).bind(5, *integer_in(row, 4)).bind_text(6, *bytes_in(row, 5, true));
    put.run();
  }

  void add_origin(const sql::LooseRow& row) {
    bool self = *integer_in(row, 2) == 1, later = row.columns.size() == 7;
    std::int64_t trust = self || !later ? 2 : std::min<std::int64_t>(2, integer_in(row, 3).value_or(1));
    const std::string* label = later ? bytes_in(row, 5, true) : nullptr;
    sql::Stmt put(db_, "INSERT OR IGNORE INTO origin VALUES (?,?,?,?)");
    put.bind(1, row.rowid).bind_blob(2, *bytes_in(row, 1, false)).bind(3, trust);
    put.bind_text(4, label != nullptr ? *label : std::string_view());
    put.run();
  }

  sql::Db& db() { return db_; }
  void commit() { db_.exec("COMMIT"); }
  const std::string& path() const { return path_; }

 private:
  sql::Db open(const std::string& path) {
    std::filesystem::remove(path, ignored_);
    return {path, sql::Mode::read_write};
  }
  std::error_code ignored_;
  std::string path_;
  sql::Db db_;
};

// The sequence of each origin up to its first gap; 0: it begins with one, or its origin is not known.
std::map<std::int64_t, std::int64_t> whole_parts(sql::Db& db, Salvaged& result) {
  std::map<std::int64_t, std::int64_t> whole;
  sql::Stmt read(
      db, "SELECT e.rid, o.origin FROM event e LEFT JOIN origin o ON o.no = e.rid >> 40 ORDER BY e.rid");
  std::int64_t last = 0;
  while (read.step()) {
    std::int64_t rid = read.integer(0), no = origin_of(rid), seq = sequence_of(rid);
    bool next = last != 0 && origin_of(last) == no;
    result.missing += seq - 1 - (next ? sequence_of(last) : 0);
    std::int64_t& end = whole[no];
    if (end == seq - 1 && !read.is_null(1)) end = seq;
    last = rid;
  }
  return whole;
}

// An event that speaks of another, which may have got a new name here.
std::string renamed(const std::string& body, sql::Db& found, Store& into) {
  auto retraction = parse_retraction(body);
  if (!retraction) return body;
  sql::Stmt target(
      found,
      "SELECT e.id FROM event e JOIN origin o ON o.no = e.rid >> 40 WHERE o.origin=?1 AND e.rid & "
      "1099511627775 = ?2");
  target.bind_blob(1, retraction->target.origin).bind(2, retraction->target.sequence);
  if (!target.step()) return body;
  std::string id(target.blob(0));
  sql::Stmt here(into.db(),
                 "SELECT o.origin, e.rid FROM event e JOIN origin o ON o.no = e.rid >> 40 WHERE e.id=?");
  here.bind_blob(1, id);
  if (!here.step()) return body;
  retraction->target = {std::string(here.blob(0)), sequence_of(here.integer(1))};
  return to_json(*retraction);
}

// What stands behind a gap, under the new database's own name.
class Mover {
 public:
  Mover(sql::Db& found, Store& into, Salvaged& result) : found_(found), into_(into), result_(result) {}

  void move(const sql::Stmt& row) {
    auto kind = static_cast<Kind>(row.integer(2));
    std::string body(row.text(5));
    store::Draft draft;
    if (kind == Kind::experience) {
      auto e = countable(body);
      if (!e) return;
      draft.experience = std::move(*e);
    } else if (kind == Kind::retract || kind == Kind::redact) {
      flush();  // what it speaks of is stored before
      body = renamed(body, found_, into_);
    } else if (kind != Kind::measurement && kind != Kind::device && kind != Kind::configurations) {
      return;  // it speaks of another by a name that may not hold any more
    }
    draft.kind = kind;
    draft.body = std::move(body);
    draft.id = uuid_of(row.blob(1));
    draft.at_ms = row.integer(4);
    drafts_.push_back(std::move(draft));
    if (drafts_.size() == batch) flush();
  }

  void flush() {
    for (const Appended& one : into_.append(std::exchange(drafts_, {}))) result_.moved += one.created ? 1 : 0;
  }

 private:
  sql::Db& found_;
  Store& into_;
  Salvaged& result_;
  std::vector<Draft> drafts_;
};

void believe_as_before(sql::Db& found, Store& into) {
  sql::Stmt read(found, "SELECT origin, trust, label FROM origin");
  sql::Stmt here(into.db(), "SELECT no FROM origin WHERE origin=? AND is_self=0");
  while (read.step()) {
    here.bind_blob(1, read.blob(0));
    if (here.step()) {
      std::int64_t no = here.integer(0);
      here.reset();
      into.set_trust(no, stored_trust(read.integer(1)), std::string(read.text(2)));
    }
    here.reset();
  }
}

void move_rest(Found& found, const std::map<std::int64_t, std::int64_t>& whole, Store& into,
               Salvaged& result) {
  Mover mover(found.db(), into, result);
  for (const auto& [no, end] : whole) {
    sql::Stmt name(found.db(), "SELECT origin FROM origin WHERE no=?");
    name.bind(1, no);
    auto id = name.step() ? array_of<16>(name.blob(0)) : std::nullopt;
    if (id && is_shipped(*id)) continue;  // every database has them anew
    sql::Stmt read(found.db(),
                   "SELECT rid, id, kind, version, at, body FROM event WHERE rid>?1 AND rid<?2 ORDER BY rid");
    read.bind(1, first_rid_of(no) + end).bind(2, first_rid_of(no + 1));
    while (read.step()) mover.move(read);
  }
  mover.flush();
}

}  // namespace

Salvaged salvage(const std::string& damaged, Store& into) {
  Salvaged result;
  Found found(into.path() + ".salvage");
  auto scanned = sql::scan_pages(damaged, 7, [&](const sql::LooseRow& row) {
    if (is_event(row)) {
      is_sound(row) ? found.add(row) : void(++result.broken);
    } else if (is_origin(row)) {
      found.add_origin(row);
    }
  });
  result.broken += scanned.broken_rows;
  found.commit();
  result.found = found.db().integer("SELECT count(*) FROM event");
  auto whole = whole_parts(found.db(), result);
  Store::Merged merged = into.merge(found.path(), Trust::unreviewed);
  result.kept = merged.added;
  result.known = merged.skipped;
  believe_as_before(found.db(), into);
  move_rest(found, whole, into, result);
  return result;
}

}  // namespace explog::store
