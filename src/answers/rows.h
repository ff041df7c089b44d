// Rows on standard output: aligned text, CSV, Markdown, JSON, JSON lines.
#pragma once
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "base/sqlite.h"
#include "model/json.h"

namespace explog::answers {

// A probability or a ratio as JSON shows it: to six decimals.
inline double rounded(double value) { return std::round(value * 1e6) / 1e6; }

enum class Format { text, csv, markdown, json, jsonl };

// Streams rows: only text looks at the first thousand rows to align its columns.
class RowPrinter {
 public:
  RowPrinter(const Terminal& terminal, Format format) : terminal_(terminal), format_(format) {}
  void header(std::vector<std::string> columns);
  // Columns that a narrow terminal goes without first; then those on the right.
  void can_miss(std::vector<std::string> columns) { less_wanted_ = std::move(columns); }
  // Columns that are shown whole, because a part of them is of no use: what is typed again.
  void show_whole(std::vector<std::string> columns) { whole_ = std::move(columns); }
  // Columns of figures that come as text.
  void align_right(std::vector<std::string> columns) { right_ = std::move(columns); }
  void row(const std::vector<sql::Value>& values);
  // A line of its own below the last row, in text.
  void note(const std::string& text);
  void finish();
  // Header, every row of a statement that is bound, and the end.
  void print_all(sql::Stmt& stmt);
  size_t rows() const { return rows_; }

 private:
  struct TextRow {
    std::vector<std::string> cells, notes = {};
  };
  void print_cells(const std::vector<std::string>& cells);
  void print_note(const std::string& text);
  void flush_text();
  bool is_figure(size_t column) const;
  bool is_whole(size_t column) const;
  bool can_be_cut(size_t column) const;
  size_t least_room() const;
  std::optional<size_t> next_to_leave_out() const;
  void leave_out_what_is_too_much(size_t room);
  void fit_to_terminal();
  const Terminal& terminal_;
  Format format_;
  std::vector<std::string> columns_, less_wanted_, whole_, right_, left_out_;
  std::vector<TextRow> waiting_;
  std::vector<size_t> widths_;
  std::vector<bool> numeric_, cut_, hidden_;
  bool aligned_ = false;
  size_t rows_ = 0;
};

// The columns of a statement, and its present row.
std::vector<std::string> names_of(const sql::Stmt& stmt);
std::vector<sql::Value> values_of(const sql::Stmt& stmt);

// To six digits, which is more than anybody reads.
std::string number_for_people(double value);
// One cell as text; `limit` columns at most, 0 for all.
std::string cell_text(const sql::Value& value, size_t limit = 0);
// RFC 4180 quoting; control characters visible; text that a spreadsheet would run as a formula (= + - @ tab
// CR) gets a leading quote.
std::string csv_cell(const sql::Value& value);
void write_value(JsonWriter& json, const sql::Value& value);

}  // namespace explog::answers
