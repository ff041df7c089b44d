#include "intake/ncu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "base/csv.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/ncu_number.h"
#include "model/arch.h"

namespace explog::intake {
namespace {

using Fields = std::vector<std::string_view>;

// A header line: where each known column is, by name and never by place.
struct Table {
  enum class Page { raw, rows, summary };  // one launch a row; one metric a row; means over launches
  Page page = Page::raw;
  int number = 0;  // of this header in the file
  bool quoted = false;
  std::vector<std::string> columns;  // of the raw page: the metric's name, "" for what is none
  std::vector<std::string> units;    // of the raw page
  std::map<std::string, std::size_t, std::less<>> where;
  std::size_t width = 0;

  std::string_view get(const Fields& fields, std::string_view column) const {
    auto it = where.find(column);
    return it != where.end() && it->second < fields.size() ? fields[it->second] : std::string_view();
  }
};

bool starts_table(std::string_view line) {
  for (std::string_view start : {"\"ID\",", "\"Process ID\",", "ID,", "Process ID,"}) {
    if (line.starts_with(start)) return line.find("Kernel Name") != std::string_view::npos;
  }
  return line.find("Kernel Name") != std::string_view::npos &&
         line.find("Metric Name") != std::string_view::npos;
}

// What identifies a launch is no metric; the names of NVTX columns have colons in them.
bool is_identity(std::string_view column) {
  for (std::string_view name :
       {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream",
        "Block Size", "Grid Size", "Device", "CC", "Invocations"}) {
    if (column == name) return true;
  }
  return column.find(':') != std::string_view::npos;
}

// "Duration (gpu__time_duration.sum)" -> the name in brackets.
std::string_view plain_name(std::string_view column) {
  std::size_t bracket = column.rfind(" (");
  bool named = bracket != std::string_view::npos && column.ends_with(')') &&
               column.find("__", bracket) != std::string_view::npos;
  return named ? column.substr(bracket + 2, column.size() - bracket - 3) : column;
}

Table table_of(const Fields& header, int number, bool quoted) {
  Table table;
  table.number = number;
  table.quoted = quoted;
  table.width = header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    table.where.emplace(trim(header[i]), i);
    table.columns.emplace_back(is_identity(trim(header[i])) ? "" : plain_name(trim(header[i])));
  }
  bool rows = table.where.contains("Metric Name");
  if (rows && table.where.contains("Metric Value")) {
    table.page = Table::Page::rows;
  } else if (rows && table.where.contains("Average")) {
    table.page = Table::Page::summary;
  }
  return table;
}

// The row behind a raw header that has units and no launch.
bool is_units_row(const Table& table, const Fields& fields) {
  return table.page == Table::Page::raw && table.get(fields, "ID").empty() &&
         table.get(fields, "Kernel Name").empty() && table.get(fields, "Process ID").empty();
}

bool is_number_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether a record belongs to the table; the program's own output may look like one.
bool belongs(const Table& table, const Fields& fields) {
  if (is_units_row(table, fields)) return fields.size() >= table.width;
  bool summary = table.page == Table::Page::summary;
  std::string_view number = table.get(fields, summary ? "Process ID" : "ID");
  bool known = is_number_word(number) || (summary && !table.where.contains("Process ID"));  // before 2022
  if (table.page == Table::Page::raw) return known && fields.size() >= table.width;
  std::size_t value = table.where.find(table.page == Table::Page::rows ? "Metric Value" : "Average")->second;
  return known && fields.size() > value;
}

// Calls `take` for every record of every table; returns lines that seem to be records and are not.
std::size_t each_record(std::string_view text, const std::function<void(Table&, const Fields&)>& take) {
  CsvReader reader(text);
  Table table;
  Fields fields;
  std::size_t broken = 0;
  while (!reader.at_end()) {
    std::string_view line = reader.peek_line();
    bool header = starts_table(line);
    bool record = header || (table.width > 0 && line.starts_with('"') == table.quoted && !line.empty());
    if (!record) {
      reader.skip_line();
    } else if (!reader.read(fields)) {
      reader.skip_line();
      ++broken;
    } else if (header) {
      table = table_of(fields, table.number + 1, line.starts_with('"'));
    } else if (!belongs(table, fields)) {
      ++broken;
    } else if (is_units_row(table, fields)) {
      table.units.assign(fields.begin(), fields.end());
    } else {
      take(table, fields);
    }
  }
  return broken;
}

class Collector {
 public:
  explicit Collector(Decimal decimal) : decimal_(decimal) {}
  void take(const Table& table, const Fields& fields);
  std::vector<Launch> finish();

 private:
  Launch& launch(const Table& table, const Fields& fields);
  void value(Launch& launch, std::string_view name, std::string_view text, std::string_view unit);
  void raw_row(const Table& table, const Fields& fields);
  void metric_row(const Table& table, const Fields& fields, std::string_view value_column);
  void rule_row(const Table& table, const Fields& fields);

  Decimal decimal_;
  std::vector<Launch> launches_;
  std::unordered_map<std::string, std::size_t> known_;
  std::string last_key_;
  std::size_t last_ = 0;
};

// 0 for what is no launch's number.
std::int64_t small_integer(std::string_view text) {
  double number = parse_number(text).value_or(0);
  return number < 1e15 ? static_cast<std::int64_t>(number) : 0;
}

std::string key_of(const Table& table, const Fields& fields) {
  std::string key = std::to_string(table.number);
  for (std::string_view column : {"Process ID", "ID", "Device", "Kernel Name", "Grid Size", "Block Size"}) {
    key += '\n';
    key += table.get(fields, column);
  }
  return key;
}

Launch& Collector::launch(const Table& table, const Fields& fields) {
  std::string key = key_of(table, fields);
  if (!launches_.empty() && key == last_key_) return launches_[last_];
  auto [it, is_new] = known_.try_emplace(key, launches_.size());
  last_key_ = std::move(key);
  last_ = it->second;
  if (!is_new) return launches_[last_];
  Launch& l = launches_.emplace_back();
  l.id = small_integer(table.get(fields, "ID"));
  l.process = table.get(fields, "Process ID");
  l.kernel = table.get(fields, "Kernel Name");
  l.grid = table.get(fields, "Grid Size");
  l.block = table.get(fields, "Block Size");
  l.arch = canonical_arch(table.get(fields, "CC")).value_or("");
  if (auto n = read_number(table.get(fields, "Invocations"), "", decimal_))
    l.invocations = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(n->value, 1e15)), 1, 1 << 30);
  return l;
}

void Collector::value(Launch& launch, std::string_view name, std::string_view text, std::string_view unit) {
  if (auto number = read_number(text, unit, decimal_)) {
    launch.metrics.emplace_back(name, number->value);
  } else if (!is_missing(text)) {
    launch.texts.emplace_back(name, text);
  } else if (!text.empty() || !unit.empty()) {
    launch.missing.emplace_back(name);
  }
}

void Collector::raw_row(const Table& table, const Fields& fields) {
  Launch& l = launch(table, fields);
  l.metrics.reserve(table.width);
  for (std::size_t i = 0; i < table.width; ++i) {
    if (table.columns[i].empty()) continue;
    value(l, table.columns[i], fields[i], i < table.units.size() ? std::string_view(table.units[i]) : "");
  }
}

void Collector::metric_row(const Table& table, const Fields& fields, std::string_view value_column) {
  Launch& l = launch(table, fields);
  std::string_view name = plain_name(trim(table.get(fields, "Metric Name")));
  std::string_view text = table.get(fields, value_column), unit = table.get(fields, "Metric Unit");
  if (name.find("__") == std::string_view::npos) {
    auto number = read_number(text, unit, decimal_);
    name = metric_of_label(name, number ? std::string_view(number->unit) : unit);
  }
  if (!name.empty()) value(l, name, text, unit);
}

void Collector::rule_row(const Table& table, const Fields& fields) {
  ProfilerRule rule;
  rule.section = table.get(fields, "Section Name");
  rule.name = table.get(fields, "Rule Name");
  rule.type = table.get(fields, "Rule Type");
  rule.text = table.get(fields, "Rule Description");
  rule.scope = table.get(fields, "Estimated Speedup Type");
  if (auto percent = read_number(table.get(fields, "Estimated Speedup"), "", decimal_))
    rule.estimate = percent->value;
  launch(table, fields).rules.push_back(std::move(rule));
}

void Collector::take(const Table& table, const Fields& fields) {
  if (table.page == Table::Page::raw) return raw_row(table, fields);
  if (table.page == Table::Page::summary) return metric_row(table, fields, "Average");
  if (table.get(fields, "Metric Name").empty() && !table.get(fields, "Rule Name").empty())
    return rule_row(table, fields);
  metric_row(table, fields, "Metric Value");
}

std::vector<Launch> Collector::finish() {
  for (Launch& launch : launches_) sort_metrics(launch.metrics);
  return std::move(launches_);
}

// Looks at every number of the file: its decimal sign is decided once.
DecimalEvidence evidence_of(std::string_view text, std::size_t& broken) {
  DecimalEvidence evidence;
  broken = each_record(text, [&](Table& table, const Fields& fields) {
    if (table.page == Table::Page::raw) {
      for (std::size_t i = 0; i < table.width; ++i) {
        if (!table.columns[i].empty()) evidence.look_at(fields[i]);
      }
      return;
    }
    for (std::string_view column : {"Metric Value", "Estimated Speedup", "Minimum", "Maximum", "Average"})
      evidence.look_at(table.get(fields, column));
  });
  return evidence;
}

}  // namespace

NcuFile parse_ncu(std::string_view text, const std::string& name) {
  std::size_t broken = 0;
  DecimalEvidence evidence = evidence_of(text, broken);
  auto decimal = evidence.decide();
  if (!decimal) refuse_file(name, evidence.why(), "export it again with LC_ALL=C and --print-units base");
  Collector collector(*decimal);
  each_record(text, [&](Table& table, const Fields& fields) { collector.take(table, fields); });
  NcuFile file;
  file.launches = collector.finish();
  if (file.launches.empty()) {
    bool none = text.find("No kernels were profiled") != std::string_view::npos;
    refuse_file(name, none ? "ncu profiled no kernel" : "no table of Nsight Compute in it",
                none ? "its filters (-k, --launch-skip) left none"
                     : "make one: ncu --import FILE.ncu-rep --csv --page raw --print-units base --print-fp > "
                       "FILE.csv");
  }
  if (broken > 0)
    file.remarks.push_back(
        fmt::format("{} {} that belong to no row are left out", broken, broken == 1 ? "line" : "lines"));
  if (*decimal == Decimal::comma) file.remarks.emplace_back("numbers read with a decimal comma");
  return file;
}

}  // namespace explog::intake
