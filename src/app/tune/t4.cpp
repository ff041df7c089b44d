#include "app/tune/t4.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/tune/table.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/judge/record.h"
#include "bench/judge/statistics.h"
#include "bench/quick.h"
#include "model/json.h"

namespace explog::app {
namespace {

struct T4Row {
  Settings settings;
  std::string invalidity = "correct";
  std::vector<double> times, runtimes;  // of each measurement; of each call
};

// T4's words for what was wrong.
std::string invalidity_of(const Measurement& m) {
  if (bench::found_right(m)) return "correct";
  std::string cause = bench::cause_of(m.correctness);
  if (cause == "compile_error") return "compile";
  if (cause == "timeout") return "timeout";
  return cause == "launch_error" || cause == "out_of_memory" || cause == "sanitizer" ? "runtime"
                                                                                     : "correctness";
}

void take(T4Row& row, const Measurement& m) {
  row.invalidity = invalidity_of(m);
  auto time = bench::quick_time(m);
  if (!time) return;
  row.times.push_back(time->ms);
  for (const Block& block : m.runs[0].shapes[0].blocks) {
    const std::vector<double>& ms = of_arm(block.passes, Arm::candidate).ms;
    row.runtimes.insert(row.runtimes.end(), ms.begin(), ms.end());
  }
}

std::vector<T4Row> rows_of(const StoredTuned& result, const Session& session) {
  std::vector<T4Row> rows;
  std::map<std::string, std::size_t> known;
  for (MeasuredRow& measured : measured_rows(result.tuned, session)) {
    auto [it, fresh] = known.emplace(settings_text(measured.settings), rows.size());
    if (fresh) rows.push_back({std::move(measured.settings), "", {}, {}});
    take(rows[it->second], measured.measurement);
  }
  return rows;
}

void write_settings(JsonWriter& json, const Settings& settings) {
  json.key("configuration");
  json.begin_object();
  for (const auto& [name, value] : settings) {
    json.key(name);
    std::holds_alternative<double>(value) ? json.number(std::get<double>(value))
                                          : json.text(scalar_text(value));
  }
  json.end_object();
}

void write_result(JsonWriter& json, const T4Row& row, const std::string& at) {
  bool timed = row.invalidity == "correct" && !row.times.empty();
  json.begin_object();
  json.field("timestamp", at);
  write_settings(json, row.settings);
  json.key("objectives");
  json.raw("[\"time\"]");
  json.key("times");
  json.begin_object();
  json.key("runtimes");
  json.begin_array();
  for (double ms : row.runtimes) json.number(ms);
  json.end_array();
  json.end_object();
  json.field("invalidity", row.invalidity);
  json.field("correctness", row.invalidity == "correct" ? 1 : 0);
  json.key("measurements");
  json.begin_array();
  if (timed) {
    json.begin_object();
    json.field("name", "time");
    json.field("value", bench::median(row.times));
    json.field("unit", "ms");
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string exported_t4(const StoredTuned& result, const Session& session) {
  std::vector<T4Row> rows = rows_of(result, session);
  const Tuned& t = result.tuned;
  if (rows.empty())
    throw Error(Exit::negative, "tune export: the store holds none of that result's configurations",
                "they are where the search ran: `explog sync` or `explog merge` brings them");
  if (rows.size() != t.successes + t.failed)
    session.warn(
        fmt::format("the result speaks of {} measured configurations, the store holds {} of this name",
                    t.successes + t.failed, rows.size()));
  JsonWriter json;
  json.begin_object();
  json.field("schema_version", "1.0.0");
  json.key("metadata");
  json.begin_object();
  json.field("kernel_name", t.key.kernel);
  json.field("kernel_type", t.key.kernel_type);
  json.field("device_name", t.key.gpu);
  json.field("arch", t.key.arch);
  json.field("backend", t.key.backend);
  json.field("dtype", t.key.dtype);
  json.field("toolkit", t.key.toolkit);
  json.key("problem_size");
  json.begin_object();
  for (const auto& [name, size] : t.key.shape) json.field(name, size);
  json.end_object();
  json.field("timeunit", "ms");
  json.end_object();
  json.key("results");
  json.begin_array();
  for (const T4Row& row : rows) write_result(json, row, result.at);
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace explog::app
