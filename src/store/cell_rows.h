// The cells of a page as SQL sees them: SELECT strategy, success FROM cell c, cell_row(c.first, c.cells).
#pragma once
#include <string>

#include "base/sqlite_function.h"

namespace explog::store {

// Its columns are the parts of the key and the counts; where a page is damaged its last row is of NULLs.
const sql::TableFunction& cell_row();

// A row a cell of records as they are, at the finest grain, as a table with a name for each part of it.
std::string counted_cells();

}  // namespace explog::store
