// From events to the tables that answer questions: attempt, cell, note, idempotency.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sqlite.h"
#include "base/sqlite_rows.h"
#include "model/evidence.h"
#include "store/cell_key.h"
#include "store/cell_table.h"
#include "store/text_pool.h"

namespace explog::store {

constexpr int origin_shift = 40;  // rid = origin number * 2^40 + sequence
constexpr std::int64_t origin_of(std::int64_t rid) { return rid >> origin_shift; }
constexpr std::int64_t sequence_of(std::int64_t rid) { return rid & ((std::int64_t{1} << origin_shift) - 1); }
constexpr std::int64_t first_rid_of(std::int64_t origin_no) { return origin_no << origin_shift; }

// The experience in an event's body, parsed and prepared; nothing when it cannot be used (it stays in the log
// and does not count).
std::optional<Experience> countable(std::string_view body);

// Writes projections into one schema of a connection: "main", or "temp" for a rebuild. The caller owns the
// transaction and calls flush() before it commits: counts are added up in memory and written once a context.
class Projector {
 public:
  Projector(sql::Db& db, const std::string& schema);

  // Counts an experience. `at_ms` is the event's time.
  void add(std::int64_t rid, std::int64_t at_ms, const Experience& e);
  // The same, where nothing looks at the record before write(); the experience lives until then. Its text becomes
  // searchable when it is flushed: from the first text on the index is told of every statement that could be undone.
  void add_later(std::int64_t rid, std::int64_t at_ms, const Experience& e);
  void write() { attempts_.write(); }
  // Takes a counted experience out again.
  void remove(std::int64_t rid, std::int64_t at_ms, const Experience& e);
  // Counts it in the cells alone: for a migration.
  void count_only(std::int64_t rid, std::int64_t at_ms, const Experience& e) { count(rid, at_ms, e, +1); }
  // Only the searchable text of an experience.
  void add_note(std::int64_t rid, const Experience& e);
  void remember_key(const std::string& key, std::int64_t rid);
  void flush();
  // Drops what was not flushed, after a rollback.
  void forget();

 private:
  struct Delta : CellDelta {
    void add(const Cell& cell, int sign, std::int64_t rid);
  };
  void write_notes();
  void count(std::int64_t rid, std::int64_t at_ms, const Experience& e, int sign);
  CellKey key_of(const Cell& cell, std::int64_t rid, std::int64_t quarter);
  std::vector<CellKey> coarser_keys(const CellKey& key);
  std::int64_t find_end(const CellKey& key, bool first);

  sql::Db& db_;
  std::string schema_;
  sql::RowWriter attempts_;
  sql::Stmt delete_attempt_;
  CellTable cells_;
  sql::Stmt insert_note_, delete_note_, insert_key_;
  std::vector<std::pair<std::int64_t, std::string>> notes_;  // what waits to be searchable, by record
  std::size_t note_bytes_ = 0;
  TextPool texts_;                                          // of the keys
  std::unordered_map<CellKey, Delta, CellKeyHash> deltas_;  // by the finest key
};

}  // namespace explog::store
