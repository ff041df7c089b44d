#include "base/sqlite_rows.h"

#include <utility>

namespace explog::sql {
namespace {

// A statement of many rows of a table whose constraints call functions keeps the pages that it changes in a journal of
// its own, some 60 KB: with 32 rows that was more than all the pages that are written.
constexpr std::size_t rows_at_once = 256;

// OR FAIL: where no constraint calls a function, there is no such journal.
std::string insert_sql(const std::string& table, std::size_t rows, std::size_t columns) {
  std::string row = "(?";
  for (std::size_t i = 1; i < columns; ++i) row += ",?";
  std::string sql = "INSERT OR FAIL INTO " + table + " VALUES " + row + ")";
  for (std::size_t i = 1; i < rows; ++i) sql += "," + row + ")";
  return sql;
}

struct Bind {
  Stmt& statement;
  int index;
  void operator()(std::monostate) const { statement.bind_real(index, std::nullopt); }
  void operator()(std::int64_t value) const { statement.bind(index, value); }
  void operator()(double value) const { statement.bind_real(index, value); }
  void operator()(std::string_view text) const { statement.bind_text(index, text); }
  void operator()(Blob blob) const { statement.bind_blob(index, blob.bytes); }
};

}  // namespace

RowWriter::RowWriter(Db& db, std::string table, std::size_t columns)
    : db_(db), table_(std::move(table)), columns_(columns) {}

void RowWriter::run(Stmt& insert, std::size_t first, std::size_t values) {
  for (std::size_t i = 0; i < values; ++i)
    std::visit(Bind{insert, static_cast<int>(i + 1)}, waiting_[first + i]);
  insert.run();
}

void RowWriter::add(std::initializer_list<ValueView> row) {
  waiting_.insert(waiting_.end(), row);
  if (waiting_.size() < rows_at_once * columns_) return;
  if (!many_) many_.emplace(db_, insert_sql(table_, rows_at_once, columns_));
  run(*many_, 0, waiting_.size());
  waiting_.clear();
}

void RowWriter::write() {
  if (waiting_.empty()) return;
  if (!one_) one_.emplace(db_, insert_sql(table_, 1, columns_));
  for (std::size_t first = 0; first < waiting_.size(); first += columns_) run(*one_, first, columns_);
  waiting_.clear();
}

}  // namespace explog::sql
