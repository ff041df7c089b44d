// Writing to the table cell: each page that changes is read, changed and written once.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "store/cell_page.h"

namespace explog::store {

// What is added to a cell, and taken away.
struct CellDelta : CellCounts {
  std::int64_t first_gone = 0, last_gone = 0;  // of removed records; 0 none
  void add(const CellDelta& other);
};

struct CellChange {
  const CellKey* key;
  std::string bytes;  // of the key
  const CellDelta* delta;
};

// The oldest or newest record of a cell that counts now; 0 when there is none.
using FindEnd = std::function<std::int64_t(const CellKey& key, bool first)>;

class CellTable {
 public:
  CellTable(sql::Db& db, const std::string& schema);
  // `changes`: in the order of family, grain and bytes, no two of one cell.
  void add(std::span<const CellChange> changes, const FindEnd& find_end);

 private:
  struct Place {               // where a cell stands or would stand
    std::string first, cells;  // the page; empty: there is none yet
    std::string limit;         // where the next page begins; empty: nowhere
  };
  Place place_of(const CellChange& change);
  std::string next_page(const CellChange& change, const std::string& behind);
  void change_page(const Place& place, std::span<const CellChange> changes, const FindEnd& find_end);
  void write(const CellKey& key, const std::string& old_first, const std::vector<CellPage>& pages);

  sql::Stmt find_, next_, read_, put_, drop_;
};

}  // namespace explog::store
