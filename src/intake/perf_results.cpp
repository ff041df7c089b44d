#include "intake/perf_results.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/markdown.h"
#include "intake/measured_rows.h"
#include "intake/version_pages.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

enum Column { iteration, optimization, latency, correctness, status, columns };
constexpr std::array<const char*, columns> column_names = {"iteration", "optimization", "latency_ms",
                                                           "correctness", "status"};

bool is_rule(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) {
    if (cell.find('-') == std::string::npos || cell.find_first_not_of(":- ") != std::string::npos)
      return false;
  }
  return true;
}

// Which cell holds which column, when these are the headings of a results table.
std::optional<std::array<size_t, columns>> headings(const std::vector<std::string>& cells) {
  std::array<size_t, columns> place{};
  for (size_t column = 0; column < columns; ++column) {
    size_t at = 0;
    while (at < cells.size() && lower(cells[at]) != column_names[column]) ++at;
    if (at == cells.size()) return std::nullopt;
    place[column] = at;
  }
  return place;
}

struct Row {
  std::optional<double> iteration, latency;
  std::string optimization, correctness, status, latency_text;
};

std::optional<double> latency_of(std::string_view text) {
  if (lower(text).ends_with("ms")) text = trim(text.substr(0, text.size() - 2));
  auto value = parse_number(text);
  return value && *value > 0 ? value : std::nullopt;
}

Row read_row(const std::vector<std::string>& cells, const std::array<size_t, columns>& place) {
  auto cell = [&](Column column) -> const std::string& { return cells[place[column]]; };
  Row row;
  row.iteration = parse_number(cell(iteration));
  row.latency = latency_of(cell(latency));
  row.latency_text = cell(latency);
  row.optimization = cell(optimization);
  row.correctness = lower(cell(correctness));
  row.status = lower(cell(status));
  return row;
}

std::string quoted(const std::string& text) { return "'" + ellipsis(printable(text), 40) + "'"; }

bool is_checked(const Row& row) {
  return row.correctness == Correctness::pass || row.correctness == Correctness::fail;
}

// As a campaign writes a version that is right and of whose time there is no verdict.
bool is_open(const Row& row) {
  return row.correctness == Correctness::pass && row.status == Decision::revert && !row.latency &&
         parse_number(row.latency_text) == 0.0;
}

// What is wrong with a row by itself, or "". A crashed or wrong kernel may have any text for a latency.
std::string fault_of(const Row& row) {
  bool whole = row.iteration && *row.iteration >= 0 && std::floor(*row.iteration) == *row.iteration;
  if (!whole) return "iteration: expected 0, 1, 2, ...";
  if (!is_word(Vocabulary::decision, row.status)) {
    return "status " + quoted(row.status) + ": expected keep, revert or crash";
  }
  if (!is_checked(row) && row.status != Decision::crash)
    return "correctness " + quoted(row.correctness) + ": expected PASS or FAIL";
  bool timed = row.correctness == Correctness::pass && row.status != Decision::crash;
  if (timed && !row.latency && !is_open(row))
    return "latency_ms " + quoted(row.latency_text) + ": expected milliseconds above 0";
  return "";
}

class PerfResultsReader {
 public:
  PerfResultsReader(const std::string& path, std::istream* in) : path_(path), lines_(path, in) {
    std::error_code ignored;
    if (path != "-") folder_ = std::filesystem::absolute(path, ignored).parent_path().string();
  }

  std::optional<Parsed> next() {
    while (auto line = lines_.next()) {
      auto parsed = take(trim(*line));
      if (parsed) return parsed;
    }
    if (tables_ > 0 || done_) return std::nullopt;
    done_ = true;
    Parsed parsed;
    parsed.where = shown_path(path_);
    parsed.fault = "no table with the columns iteration, optimization, latency_ms, correctness, status";
    return parsed;
  }

 private:
  std::optional<Parsed> take(std::string_view line) {
    if (lines_.too_long()) return fault("longer than 256 KiB");
    if (lines_.number() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.find('|') == std::string_view::npos) {
      gap_ = true;
      return std::nullopt;
    }
    if (!valid_utf8(line)) return place_ ? fault("not valid UTF-8") : std::nullopt;
    auto cells = table_cells(line);
    if (auto place = headings(cells)) {
      begin_table(*place, cells.size());
      return std::nullopt;
    }
    if (gap_ && !goes_on_after_gap(line, cells)) place_.reset();
    gap_ = false;
    return place_ && !is_rule(cells) ? read(cells) : std::nullopt;
  }

  // Rows are appended one by one, so a blank line may stand between them; a numbered row behind it still
  // belongs.
  bool goes_on_after_gap(std::string_view line, const std::vector<std::string>& cells) const {
    bool numbered =
        place_ && (*place_)[iteration] < cells.size() && parse_number(cells[(*place_)[iteration]]);
    return numbered && line.starts_with('|');
  }

  void begin_table(const std::array<size_t, columns>& place, size_t cells) {
    place_ = place;
    cells_ = cells;
    gap_ = false;
    first_row_ = true;
    ++tables_;
  }

  // What lies beside a loop's table of its own; a page with tables of several kernels has no such versions.
  VersionPages pages_of(const Row& row) const {
    if (folder_.empty() || tables_ != 1) return {};
    return version_pages(fmt::format("{}/v{:.0f}", folder_, *row.iteration));
  }

  std::optional<Parsed> read(const std::vector<std::string>& cells) {
    if (cells.size() != cells_)
      return fault(fmt::format("{} columns, the table has {}", cells.size(), cells_));
    Row row = read_row(cells, *place_);
    std::string why = fault_of(row);
    if (!why.empty()) return fault(why);
    // A table goes on with the one before it when its numbers do; otherwise it is about another kernel.
    bool goes_on = *row.iteration == last_iteration_ + 1;
    if (first_row_ && !goes_on) baseline_.reset();
    first_row_ = false;
    last_iteration_ = *row.iteration;
    if (*row.iteration > 0) return record(row);
    baseline_ = row.status == Decision::keep ? row.latency : std::nullopt;
    kept_ = pages_of(row);
    return std::nullopt;
  }

  Parsed record(const Row& row) {
    Parsed parsed = at_line();
    bool failed = row.correctness == Correctness::fail || row.status == Decision::crash;
    if (!failed && !baseline_) {
      parsed.fault = "no kept row before it: nothing to compare with (the table needs a row of iteration 0)";
      return parsed;
    }
    Experience& e = parsed.experience.emplace();
    read_change(row.optimization, e, parsed.remarks);
    VersionPages pages = pages_of(row);
    parsed.usual_backend = pages.backend.empty() ? word(RecordBackend::cutile) : pages.backend;
    e.gpu = pages.gpu;
    e.arch = pages.arch;
    e.shape = pages.shape;
    e.hypothesis = pages.hypothesis;
    e.metrics_before = kept_.metrics;
    e.metrics_after = pages.metrics;
    e.iteration = row.iteration;
    e.latency_before_ms = baseline_;
    if (row.status != Decision::crash) e.latency_after_ms = row.latency;
    e.correctness = is_checked(row) ? row.correctness : "";
    e.decision = is_open(row) ? "" : row.status;
    if (is_open(row)) e.outcome = word(Outcome::neutral);
    bool wrong = row.correctness == Correctness::fail;
    if (failed) e.cause = word(wrong ? Cause::wrong_values : Cause::launch_error);
    e.condition = timing("ms", "unknown", "unknown");
    e.source = file_name(path_);
    if (row.status == Decision::keep && failed)
      parsed.remarks.emplace_back("kept although its results are wrong: not taken as the new baseline");
    if (row.status == Decision::keep && !failed) {
      baseline_ = row.latency;
      kept_ = std::move(pages);
    }
    return parsed;
  }

  Parsed at_line() const {
    Parsed parsed;
    parsed.where = shown_path(path_) + ":" + std::to_string(lines_.number());
    return parsed;
  }

  std::optional<Parsed> fault(std::string why) const {
    Parsed parsed = at_line();
    parsed.fault = std::move(why);
    return parsed;
  }

  std::string path_;
  LineReader lines_;
  std::optional<std::array<size_t, columns>> place_;  // of the columns, while inside a table
  size_t cells_ = 0;
  bool gap_ = false, first_row_ = false, done_ = false;
  int tables_ = 0;
  double last_iteration_ = -1;
  std::optional<double> baseline_;  // latency of the last kept row
  std::string folder_;              // of the table; empty for standard input
  VersionPages kept_;               // of the last kept row
};

}  // namespace

Source perf_results(const std::string& path, std::istream* in) {
  auto reader = std::make_shared<PerfResultsReader>(path, in);
  return [reader] { return reader->next(); };
}

bool looks_like_perf_results(std::string_view head) {
  for (std::string_view line : split(head, '\n')) {
    if (line.find('|') != std::string_view::npos && headings(table_cells(trim(line)))) return true;
  }
  return false;
}

}  // namespace explog::intake
