#include "store/cell_table.h"

#include <algorithm>
#include <deque>

#include "base/error.h"
#include "base/text.h"

namespace explog::store {
namespace {

constexpr const char* table_place = " WHERE family=?1 AND grain=?2 AND first";

// Cells without a strategy come first, and share no page with others: who ranks strategies reads none of them.
bool names_strategy(std::string_view key) { return key.front() != '\0'; }

bool in_one_range(const CellChange& a, const CellChange& b) {
  return a.key->grain == b.key->grain && names_strategy(a.bytes) == names_strategy(b.bytes) &&
         a.key->family == b.key->family;
}

sql::Stmt& bind_family(sql::Stmt& statement, const CellKey& key) {
  return statement.bind_text(1, key.family).bind(2, static_cast<std::int64_t>(key.grain));
}

// The cells of a page; the keys are kept where the views stay valid.
std::vector<PackedCell> cells_in(std::string_view first, std::string_view cells,
                                 std::deque<std::string>& keys) {
  std::vector<PackedCell> list;
  if (cells.empty()) return list;
  PageCursor cursor(first, cells);
  while (cursor.next()) {
    std::string& key = keys.emplace_back(cursor.head());
    key += cursor.tail();
    list.push_back({key, cursor.counts()});
  }
  if (cursor.damaged())
    throw Error(Exit::store, "a page of cells is damaged", "run `explog doctor --rebuild`");
  return list;
}

// Whether anything is left of a cell that a record was taken out of. An end that was removed is looked for.
bool renew_ends(CellCounts& counts, const CellChange& change, const FindEnd& find_end) {
  if (counts.n() == 0) return false;
  if (counts.first_rid >= change.delta->first_gone) counts.first_rid = find_end(*change.key, true);
  if (counts.last_rid <= change.delta->last_gone) counts.last_rid = find_end(*change.key, false);
  return true;
}

}  // namespace

void CellDelta::add(const CellDelta& other) {
  CellCounts::add(other);
  bool one = first_gone == 0 || other.first_gone == 0;
  first_gone = one ? first_gone + other.first_gone : std::min(first_gone, other.first_gone);
  last_gone = std::max(last_gone, other.last_gone);
}

CellTable::CellTable(sql::Db& db, const std::string& schema)
    : find_(db, "SELECT first FROM " + schema + ".cell" + table_place + "<=?3 ORDER BY first DESC LIMIT 1"),
      next_(db, "SELECT first FROM " + schema + ".cell" + table_place + ">?3 ORDER BY first LIMIT 1"),
      read_(db, "SELECT cells FROM " + schema + ".cell" + table_place + "=?3"),
      put_(db, "INSERT OR REPLACE INTO " + schema + ".cell VALUES (?1,?2,?3,?4)"),
      drop_(db, "DELETE FROM " + schema + ".cell" + table_place + "=?3") {}

// The key of the first page behind a key among those that a change may touch; empty: there is none.
std::string CellTable::next_page(const CellChange& change, const std::string& behind) {
  bind_family(next_, *change.key).bind_blob(3, behind);
  std::string first;
  if (next_.step()) first = next_.blob(0);
  next_.reset();
  return !first.empty() && names_strategy(first) == names_strategy(change.bytes) ? first : "";
}

// The last page that begins at the cell or before it, or else the first of all.
CellTable::Place CellTable::place_of(const CellChange& change) {
  Place place;
  bind_family(find_, *change.key).bind_blob(3, change.bytes);
  if (find_.step()) place.first = find_.blob(0);
  find_.reset();
  if (!place.first.empty() && names_strategy(place.first) != names_strategy(change.bytes))
    place.first.clear();
  if (place.first.empty()) place.first = next_page(change, change.bytes);
  if (place.first.empty()) return place;
  place.limit = next_page(change, place.first);
  bind_family(read_, *change.key).bind_blob(3, place.first);
  if (read_.step()) place.cells = read_.blob(0);
  read_.reset();
  return place;
}

void CellTable::write(const CellKey& key, const std::string& old_first, const std::vector<CellPage>& pages) {
  if (!old_first.empty() && (pages.empty() || pages.front().first != old_first)) {
    bind_family(drop_, key).bind_blob(3, old_first);
    drop_.run();
  }
  for (const CellPage& page : pages) {
    bind_family(put_, key).bind_blob(3, page.first).bind_blob(4, page.cells);
    put_.run();
  }
}

void CellTable::change_page(const Place& place, std::span<const CellChange> changes,
                            const FindEnd& find_end) {
  std::deque<std::string> keys;
  std::vector<PackedCell> before = cells_in(place.first, place.cells, keys), after;
  after.reserve(before.size() + changes.size());
  auto old = before.begin();
  for (const CellChange& change : changes) {
    for (; old != before.end() && old->key < change.bytes; ++old) after.push_back(*old);
    PackedCell cell{change.bytes, *change.delta};
    if (old != before.end() && old->key == change.bytes) {
      cell.counts = old++->counts;
      cell.counts.add(*change.delta);
    }
    if (change.delta->last_gone == 0 || renew_ends(cell.counts, change, find_end)) after.push_back(cell);
  }
  after.insert(after.end(), old, before.end());
  write(*changes.front().key, place.first, pages_of(after));
}

void CellTable::add(std::span<const CellChange> changes, const FindEnd& find_end) {
  while (!changes.empty()) {
    const CellChange& front = changes.front();
    Place place = place_of(front);
    auto elsewhere = std::find_if(changes.begin() + 1, changes.end(), [&](const CellChange& change) {
      return !in_one_range(change, front) || (!place.limit.empty() && change.bytes >= place.limit);
    });
    auto n = static_cast<std::size_t>(elsewhere - changes.begin());
    change_page(place, changes.first(n), find_end);
    changes = changes.subspan(n);
  }
}

}  // namespace explog::store
