// Rows for one table, inserted many by one statement.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/sqlite.h"

namespace explog::sql {

struct Blob {
  std::string_view bytes;
};
using ValueView = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;

// A statement opens the trees of a table and its indexes, and finds the place behind their last row: once for many rows
// that costs half. Nothing reads a row before write(), and what its texts and blobs are views of lives until then. A row
// that the table refuses leaves those before it: the transaction is to be rolled back.
class RowWriter {
 public:
  // `table` is SQL.
  RowWriter(Db& db, std::string table, std::size_t columns);
  void add(std::initializer_list<ValueView> row);
  void write();
  // Drops what was not written.
  void forget() { waiting_.clear(); }

 private:
  void run(Stmt& insert, std::size_t first, std::size_t values);

  Db& db_;
  std::string table_;
  std::size_t columns_;
  std::vector<ValueView> waiting_;  // row by row
  std::optional<Stmt> one_, many_;  // prepared when they are needed
};

}  // namespace explog::sql
