#include "intake/print_record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <compare>
#include <map>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/measured_rows.h"
#include "intake/python_repr.h"

namespace explog::intake {
namespace {

// One measurement of one backend in one direction.
struct Measurement {
  std::string where;
  std::string unit = "ms";
  double latency_ms = 0;
  bool from_mean = false;
  Facts metrics;
};

// Statistics in the line's unit, and the names they are kept under.
constexpr std::array<std::pair<const char*, const char*>, 4> times = {
    {{"mean", "mean_ms"}, {"std", "std_ms"}, {"min", "min_ms"}, {"max", "max_ms"}}};
constexpr std::array<std::pair<const char*, const char*>, 3> others = {
    {{"rel_std", "rel_std_pct"}, {"nrep", "nrep"}, {"peak_mem_mb", "peak_mem_mb"}}};

// A line of the record: label, dictionary, unit.
struct Line {
  std::string label;
  std::string_view dictionary, unit;
};

// A dictionary of dictionaries behind a label, with statistics in it; other lines of a log are none of ours.
std::optional<Line> find_record(std::string_view line) {
  size_t open = line.find(": {'");
  size_t close = line.rfind('}');
  bool statistics =
      line.find("'mean'") != std::string_view::npos || line.find("'median'") != std::string_view::npos;
  if (open == std::string_view::npos || close == std::string_view::npos || close < open || !statistics)
    return std::nullopt;
  std::string_view before = trim(line.substr(0, open));
  before.remove_prefix(before.find_last_of(" \t]") + 1);
  if (before.empty()) return std::nullopt;
  return Line{std::string(before), line.substr(open + 2, close - open - 1), trim(line.substr(close + 1))};
}

// Where the name of a test that begins at `at` ends: parameters are in brackets, and may hold blanks and brackets.
size_t end_of_test(std::string_view line, size_t at) {
  for (int depth = 0; at < line.size(); ++at) {
    if (line[at] == '[') ++depth;
    if (line[at] == ']' && --depth == 0) return at + 1;
    if (depth == 0 && (line[at] == ' ' || line[at] == '\t')) break;
  }
  return at;
}

// The test that pytest names in a line: "tests/test_bmm.py::test_perf[cutile-64] ..." when it runs it, or
// "___ test_perf[cutile-64] ___" above what it printed. Empty where there is none.
std::string_view test_in(std::string_view line) {
  size_t file = line.find(".py::");
  if (file != std::string_view::npos) {
    size_t from = line.substr(0, file).find_last_of(" \t") + 1;  // npos + 1 is 0
    return line.substr(from, end_of_test(line, file) - from);
  }
  std::string_view title = trim(line);
  if (title.size() < 3 || title.front() != '_' || title.back() != '_') return {};
  size_t first = title.find_first_not_of('_'), last = title.find_last_not_of('_');
  if (first == std::string_view::npos || title[first] != ' ') return {};
  title = trim(title.substr(first, last + 1 - first));
  return end_of_test(title, 0) == title.size() ? title : std::string_view();
}

std::optional<double> milliseconds_per(std::string_view unit) {
  if (unit.empty() || unit == "ms") return 1;
  if (unit == "us") return 1e-3;
  return unit == "s" ? std::optional<double>(1e3) : std::nullopt;
}

// Throws JsonError when the statistics hold no usable time.
Measurement read_statistics(const Json& statistics, double scale) {
  if (!statistics.is_object()) throw JsonError("expected a dictionary of statistics");
  Measurement m;
  auto median = number_of(member(statistics, "median"));
  auto latency = median ? median : number_of(member(statistics, "mean"));
  if (!latency || *latency <= 0) throw JsonError("neither a median nor a mean above 0");
  m.from_mean = !median;
  m.latency_ms = *latency * scale;
  for (const auto& [from, to] : times) {
    if (auto value = number_of(member(statistics, from))) m.metrics.emplace_back(to, *value * scale);
  }
  for (const auto& [from, to] : others) {
    if (auto value = number_of(member(statistics, from))) m.metrics.emplace_back(to, *value);
  }
  return m;
}

class PrintRecordReader {
 public:
  PrintRecordReader(const std::string& path, std::istream* in) : path_(path), lines_(path, in) {}

  std::optional<Parsed> next() {
    while (at_ == ready_.size()) {
      ready_.clear();
      at_ = 0;
      if (finished_) return std::nullopt;
      auto line = lines_.next();
      line ? take(*line) : finish();
    }
    return std::move(ready_[at_++]);
  }

 private:
  // What a before and an after share: the test with its parameters, which are its sizes, backend and direction; and where
  // one run of a test prints several of these, which of them.
  struct Series {
    std::string test, backend, direction;
    int ordinal = 0;
    auto operator<=>(const Series&) const = default;
  };

  void take(std::string_view text) {
    if (lines_.too_long()) return fault(place(), "longer than 256 KiB");
    auto line = find_record(text);
    std::string_view test = test_in(line ? text.substr(0, text.find(": {'")) : text);
    if (!test.empty()) begin_test(test);
    if (text.find("= test session starts =") != std::string_view::npos) begin_test("");
    if (!line) return;
    found_ = true;
    try {
      read(*line);
    } catch (const JsonError& e) {
      fault(place(), "not a record of --print-record: " + printable(fault_of_line(e)));
    }
  }

  void begin_test(std::string_view test) {
    test_ = std::string(test);
    printed_.clear();
  }

  void read(const Line& line) {
    if (test_.empty())
      throw JsonError(
          "no test is named before it, so that its sizes are not known: keep what `pytest -v` prints");
    if (!valid_utf8(test_)) throw JsonError("the test's name is not valid UTF-8");
    auto scale = milliseconds_per(line.unit);
    if (!scale) throw JsonError("unit '" + ellipsis(printable(line.unit), 20) + "': expected ms");
    Json record = parse_json(python_to_json(line.dictionary));
    std::string unit(line.unit.empty() ? "ms" : line.unit);
    bool flat = member(record, "median").is_number() || member(record, "mean").is_number();
    if (!valid_utf8(line.label)) throw JsonError("the label is not valid UTF-8");
    if (flat) return measured(line.label, "", read_statistics(record, *scale), unit);
    for (const auto& [mode, statistics] : record.items())
      measured(line.label, mode, read_statistics(statistics, *scale), unit);
  }

  void measured(const std::string& label, const std::string& mode, Measurement m, const std::string& unit) {
    Series series{test_, label, mode, printed_[{label, mode}]++};
    m.where = place();
    m.unit = unit;
    auto it = last_.find(series);
    if (it == last_.end()) {
      last_.emplace(series, Last{std::move(m), false});
      return;
    }
    ready_.push_back(pair(series, it->second.measurement, m));
    it->second = Last{std::move(m), true};
  }

  Parsed pair(const Series& series, const Measurement& before, const Measurement& after) const {
    Parsed parsed;
    parsed.where = after.where;
    Experience& e = parsed.experience.emplace();
    e.backend = lower(series.backend);
    if (!series.direction.empty()) e.tags = {series.direction};
    size_t name = series.test.rfind("::");
    e.tags.push_back(ellipsis("test=" + series.test.substr(name == std::string::npos ? 0 : name + 2), 100));
    e.metrics_before = before.metrics;
    e.metrics_after = after.metrics;
    bool mean = before.from_mean || after.from_mean;  // the same statistic on both sides
    e.latency_before_ms = mean ? fact(before.metrics, "mean_ms") : before.latency_ms;
    e.latency_after_ms = mean ? fact(after.metrics, "mean_ms") : after.latency_ms;
    e.condition = timing(after.unit, mean ? "mean" : "median", "cold");
    e.source = file_name(path_);
    parsed.remarks.push_back(fmt::format("before is {}; latencies are the {} of the repetitions",
                                         before.where, mean ? "mean (no median given)" : "median"));
    return parsed;
  }

  void finish() {
    finished_ = true;
    if (!found_)
      fault(shown_path(path_),
            "no line of --print-record: expected \"Cutile: {'forward': {'mean': ...}} ms\"");
    for (const auto& [series, last] : last_) {
      if (last.paired) continue;
      fault(last.measurement.where,
            fmt::format("only one measurement of {} {} by {}: a before and an after are needed, in one file",
                        printable(series.backend), printable(series.direction),
                        ellipsis(printable(series.test), 100)));
    }
  }

  std::string place() const { return shown_path(path_) + ":" + std::to_string(lines_.number()); }

  void fault(const std::string& where, std::string why) {
    Parsed parsed;
    parsed.where = where;
    parsed.fault = std::move(why);
    ready_.push_back(std::move(parsed));
  }

  struct Last {
    Measurement measurement;
    bool paired = false;
  };

  std::string path_;
  LineReader lines_;
  std::map<Series, Last> last_;                                 // the latest measurement of each series
  std::string test_;                                            // the one that runs; empty before the first
  std::map<std::pair<std::string, std::string>, int> printed_;  // by this run of it: of backend and direction
  std::vector<Parsed> ready_;
  size_t at_ = 0;
  bool found_ = false, finished_ = false;
};

}  // namespace

Source print_record(const std::string& path, std::istream* in) {
  auto reader = std::make_shared<PrintRecordReader>(path, in);
  return [reader] { return reader->next(); };
}

bool looks_like_print_record(std::string_view head) {
  for (std::string_view line : split(head, '\n')) {
    if (find_record(line)) return true;
  }
  return false;
}

}  // namespace explog::intake
