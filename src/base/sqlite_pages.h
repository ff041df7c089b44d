// Rows of an SQLite file read page by page, past its trees and past what is damaged.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::sql {

struct LooseRow {
  std::int64_t rowid = 0;
  std::vector<Value> columns;  // blobs as text; the column that is the rowid is NULL
  std::vector<bool> is_text;   // of each column: text, not a blob
};

struct ScannedPages {
  std::int64_t pages = 0, broken_rows = 0;
};

// Calls `found` for every row of every table page that can be read, in the order of the pages, committed pages of the
// journal beside it (-wal) included: rows of all tables, of freed pages too, so that the caller must know its own by
// their form. Rows of `columns_at_most` columns and no more. Throws Error(usage) for a file that cannot be opened.
ScannedPages scan_pages(const std::string& path, std::size_t columns_at_most,
                        const std::function<void(const LooseRow&)>& found);

}  // namespace explog::sql
