#include "answers/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "answers/answer.h"
#include "base/error.h"
#include "base/text.h"

namespace explog::answers {
namespace {

constexpr size_t rows_looked_at = 1000;
constexpr size_t widest_column = 60, narrowest_text = 8;

std::string padded(const std::string& cell, size_t width, bool right) {
  size_t used = display_width(cell);
  std::string fill(width > used ? width - used : 0, ' ');
  return right ? fill + cell : cell + fill;
}

std::string markdown_cell(const sql::Value& value) {
  return replace_all(replace_all(cell_text(value), "|", "\\|"), "<", "&lt;");
}

}  // namespace

std::string cell_text(const sql::Value& value, size_t limit) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&value)) return number_for_people(*d);
  std::string text = printable(std::get<std::string>(value));
  return limit > 0 ? ellipsis(text, limit) : text;
}

std::string number_for_people(double value) {
  return value == std::trunc(value) ? number_text(value) : fmt::format("{:.6g}", value);
}

std::string csv_cell(const sql::Value& value) {
  const auto* raw = std::get_if<std::string>(&value);
  if (const auto* d = std::get_if<double>(&value)) return number_text(*d);
  if (raw == nullptr) return cell_text(value);
  bool formula = !raw->empty() && std::string_view("=+-@\t\r").find(raw->front()) != std::string_view::npos &&
                 !parse_number(*raw);
  std::string text = printable(*raw, false);
  if (formula) text.insert(0, 1, '\'');
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  return "\"" + replace_all(text, "\"", "\"\"") + "\"";
}

void write_value(JsonWriter& json, const sql::Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    json.raw(std::to_string(*i));
  } else if (const auto* d = std::get_if<double>(&value)) {
    json.number(*d);
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    json.text(*s);
  } else {
    json.null();
  }
}

void RowPrinter::header(std::vector<std::string> columns) {
  columns_ = std::move(columns);
  std::ostream& out = terminal_.out;
  if (format_ == Format::text) {
    for (std::string& column : columns_) column = printable(column);
  } else if (format_ == Format::csv) {
    for (size_t i = 0; i < columns_.size(); ++i) out << (i > 0 ? "," : "") << csv_cell(columns_[i]);
    out << '\n';
  } else if (format_ == Format::markdown) {
    for (const std::string& column : columns_) out << "| " << markdown_cell(column) << ' ';
    out << "|\n";
    for (size_t i = 0; i < columns_.size(); ++i) out << "|---";
    out << "|\n";
  }
}

void RowPrinter::row(const std::vector<sql::Value>& values) {
  std::ostream& out = terminal_.out;
  ++rows_;
  if (format_ == Format::csv) {
    for (size_t i = 0; i < values.size(); ++i) out << (i > 0 ? "," : "") << csv_cell(values[i]);
    out << '\n';
  } else if (format_ == Format::markdown) {
    for (const sql::Value& value : values) out << "| " << markdown_cell(value) << ' ';
    out << "|\n";
  } else if (format_ == Format::json || format_ == Format::jsonl) {
    JsonWriter json;
    json.begin_object();
    for (size_t i = 0; i < values.size(); ++i) {
      json.key(columns_[i]);
      write_value(json, values[i]);
    }
    json.end_object();
    // The list begins with its first row: what fails before it leaves no half of a document.
    if (format_ == Format::json) out << (rows_ > 1 ? ",\n " : list_opening("rows"));
    out << json.str() << (format_ == Format::jsonl ? "\n" : "");
  } else {
    std::vector<std::string> cells;
    numeric_.resize(values.size(), true);
    for (size_t i = 0; i < values.size(); ++i) {
      cells.push_back(cell_text(values[i], i + 1 < values.size() && !is_whole(i) ? widest_column : 0));
      numeric_[i] = numeric_[i] && !std::holds_alternative<std::string>(values[i]);
    }
    if (aligned_) return print_cells(cells);
    waiting_.push_back({std::move(cells)});
    if (waiting_.size() == rows_looked_at) flush_text();
  }
}

void RowPrinter::note(const std::string& text) {
  if (format_ != Format::text) return;
  if (waiting_.empty()) return print_note(text);
  waiting_.back().notes.push_back(text);
}

void RowPrinter::print_note(const std::string& text) {
  auto room = static_cast<size_t>(terminal_.width);
  size_t narrow = terminal_.interactive && room > 2 ? room - 2 : 0;
  std::string line = printable(text);
  terminal_.out << terminal_.dim("  " + (narrow > 0 ? ellipsis(line, narrow) : line)) << '\n';
}

bool RowPrinter::is_figure(size_t column) const {
  return numeric_[column] || std::find(right_.begin(), right_.end(), columns_[column]) != right_.end();
}

bool RowPrinter::is_whole(size_t column) const {
  return std::find(whole_.begin(), whole_.end(), columns_[column]) != whole_.end();
}

bool RowPrinter::can_be_cut(size_t column) const { return !is_figure(column) && !is_whole(column); }

void RowPrinter::print_cells(const std::vector<std::string>& cells) {
  std::string line;
  const char* glue = "";
  for (size_t i = 0; i < cells.size(); ++i) {
    if (hidden_[i]) continue;
    line += std::exchange(glue, "  ");
    const std::string& cell = cut_[i] ? ellipsis(cells[i], widths_[i]) : cells[i];
    line += padded(cell, widths_[i], is_figure(i));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  terminal_.out << line << '\n';
}

void RowPrinter::flush_text() {
  if (aligned_) return;
  aligned_ = true;
  widths_.assign(columns_.size(), 0);
  numeric_.resize(columns_.size(), false);
  for (size_t i = 0; i < columns_.size(); ++i) {
    widths_[i] = display_width(columns_[i]);
    for (const TextRow& row : waiting_) widths_[i] = std::max(widths_[i], display_width(row.cells[i]));
  }
  fit_to_terminal();
  if (waiting_.empty()) return;
  print_cells(columns_);
  for (const TextRow& row : waiting_) {
    print_cells(row.cells);
    for (const std::string& text : row.notes) print_note(text);
  }
  waiting_.clear();
}

// What a row takes when every text is as narrow as it can be.
size_t RowPrinter::least_room() const {
  size_t sum = 0, shown = 0;
  for (size_t i = 0; i < widths_.size(); ++i) {
    if (hidden_[i]) continue;
    sum += can_be_cut(i) ? std::min(widths_[i], narrowest_text) : widths_[i];
    ++shown;
  }
  return sum + 2 * (shown - 1);
}

// Nothing, where only what is typed again is left.
std::optional<size_t> RowPrinter::next_to_leave_out() const {
  for (const std::string& name : less_wanted_) {
    size_t at = static_cast<size_t>(std::find(columns_.begin(), columns_.end(), name) - columns_.begin());
    if (at < columns_.size() && !hidden_[at]) return at;
  }
  for (size_t i = columns_.size(); i-- > 0;) {
    if (!hidden_[i] && !is_whole(i)) return i;
  }
  return std::nullopt;
}

void RowPrinter::leave_out_what_is_too_much(size_t room) {
  for (size_t shown = columns_.size(); shown > 1 && least_room() > room; --shown) {
    auto at = next_to_leave_out();
    if (!at) return;
    hidden_[*at] = true;
    left_out_.push_back(columns_[*at]);
  }
}

// On a terminal the widest columns of text give way until a row is a line, and where that is not enough whole columns;
// in a file or a pipe nothing is lost.
void RowPrinter::fit_to_terminal() {
  cut_.assign(columns_.size(), false);
  hidden_.assign(columns_.size(), false);
  if (!terminal_.interactive || columns_.empty()) return;
  auto room = static_cast<size_t>(terminal_.width);
  leave_out_what_is_too_much(room);
  auto used = [&] {
    size_t sum = 2 * (columns_.size() - left_out_.size() - 1);
    for (size_t i = 0; i < widths_.size(); ++i) sum += hidden_[i] ? 0 : widths_[i];
    return sum;
  };
  while (used() > room) {
    size_t widest = columns_.size();
    for (size_t i = 0; i < widths_.size(); ++i) {
      bool gives_way = can_be_cut(i) && !hidden_[i] && widths_[i] > narrowest_text;
      if (gives_way && (widest == columns_.size() || widths_[i] > widths_[widest])) widest = i;
    }
    if (widest == columns_.size()) return;
    size_t over = used() - room;
    widths_[widest] -= std::min({over, widths_[widest] - narrowest_text, std::max<size_t>(1, over / 4)});
    cut_[widest] = true;
  }
}

void RowPrinter::finish() {
  if (format_ == Format::text) flush_text();
  if (!left_out_.empty() && rows_ > 0) {
    std::string line = "left out for want of room: " + join(left_out_, ", ");
    terminal_.out << terminal_.dim(ellipsis(line, static_cast<size_t>(terminal_.width))) << '\n';
  }
  if (format_ == Format::json) terminal_.out << (rows_ == 0 ? list_opening("rows") : "") << list_closing;
}

void RowPrinter::print_all(sql::Stmt& stmt) {
  header(names_of(stmt));
  while (stmt.step()) row(values_of(stmt));
  finish();
}

std::vector<std::string> names_of(const sql::Stmt& stmt) {
  std::vector<std::string> names;
  for (int i = 0; i < stmt.columns(); ++i) names.push_back(stmt.column_name(i));
  return names;
}

std::vector<sql::Value> values_of(const sql::Stmt& stmt) {
  std::vector<sql::Value> values;
  for (int i = 0; i < stmt.columns(); ++i) values.push_back(stmt.value(i));
  return values;
}

}  // namespace explog::answers
