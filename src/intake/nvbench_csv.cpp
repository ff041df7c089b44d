// nvbench's CSV has one table for all benchmarks: columns of axes and of results in the order in which states first have
// them, without types. What it says is put into the form of the JSON file, which has one reader.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/nvbench.h"

namespace explog::intake {
namespace {

constexpr std::string_view table_header = "Benchmark,Device,Device Name,";
constexpr std::size_t most_columns = 256, most_states = 1'000'000;

enum class TableColumn {
  benchmark,
  device,
  device_name,
  skipped,
  median,
  mean,
  noise,
  batch,
  axis,
  power,
  other
};

// How results are called; a column of another name and without a unit is an axis.
constexpr std::array<std::pair<std::string_view, TableColumn>, 8> fixed_columns = {
    {{"Benchmark", TableColumn::benchmark},
     {"Device", TableColumn::device},
     {"Device Name", TableColumn::device_name},
     {"Skipped", TableColumn::skipped},
     {"Median GPU Time (sec)", TableColumn::median},
     {"GPU Time (sec)", TableColumn::mean},
     {"Batch GPU (sec)", TableColumn::batch},
     {"Noise", TableColumn::noise}}};
constexpr std::array<std::string_view, 7> other_results = {"Samples", "Batch",      "Walltime",     "IQR",
                                                           "Rel IQR", "Clock Rate", "Clock Scaling"};
constexpr std::array<std::string_view, 8> result_ends = {" (sec)",  " (elem/sec)", " (bytes)", " (bytes/sec)",
                                                         "HitRate", "Util",        "Peak",     "Eff"};

TableColumn column_kind(const std::string& name) {
  for (const auto& [fixed, kind] : fixed_columns) {
    if (name == fixed) return kind;
  }
  if (name.ends_with(" (pow2)")) return TableColumn::power;
  bool result = std::find(other_results.begin(), other_results.end(), name) != other_results.end() ||
                std::any_of(result_ends.begin(), result_ends.end(),
                            [&](std::string_view end) { return name.ends_with(end); });
  return result ? TableColumn::other : TableColumn::axis;
}

struct ResultTable {
  std::vector<std::string> names;
  std::vector<TableColumn> kinds;
};

ResultTable table_columns(const std::vector<std::string_view>& fields, const std::string& path) {
  ResultTable table;
  if (fields.size() > most_columns) refuse_file(path, "more than 256 columns");
  bool after_gpu_time = false;
  for (std::string_view field : fields) {
    table.names.emplace_back(trim(field));
    TableColumn kind = column_kind(table.names.back());
    // Each time has a column "Noise" behind it: that of the GPU's is meant.
    if (kind == TableColumn::noise && !std::exchange(after_gpu_time, false)) kind = TableColumn::other;
    after_gpu_time = kind == TableColumn::mean || (after_gpu_time && kind == TableColumn::median);
    table.kinds.push_back(kind);
  }
  auto has = [&](TableColumn kind) {
    return std::find(table.kinds.begin(), table.kinds.end(), kind) != table.kinds.end();
  };
  if (!has(TableColumn::mean) && !has(TableColumn::median))
    refuse_file(path, "no column 'GPU Time (sec)'", "nvbench writes it where it measured a GPU: --csv FILE");
  return table;
}

Json table_summary(const char* tag, std::string_view value) {
  return {{"tag", tag}, {"data", Json::array({{{"name", "value"}, {"value", value}}})}};
}

Json table_axis(const std::string& name, std::string_view text) {
  bool number = parse_number(text).has_value();
  return {{"name", name}, {"type", number ? "float64" : "string"}, {"value", text}};
}

// One line of the table as a state of the JSON form.
Json table_state(const ResultTable& table, const std::vector<std::string_view>& fields) {
  Json state = {{"axis_values", Json::array()}, {"summaries", Json::array()}, {"is_skipped", false}};
  std::string name;
  for (std::size_t i = 0; i < fields.size() && i < table.kinds.size(); ++i) {
    std::string_view text = trim(fields[i]);
    auto add = [&](const char* tag) { state["summaries"].push_back(table_summary(tag, text)); };
    if (text.empty()) continue;  // of another benchmark's columns
    switch (table.kinds[i]) {
      case TableColumn::device:
        if (auto id = parse_number(text)) state["device"] = *id;
        break;
      case TableColumn::skipped:
        state["is_skipped"] = text == "Yes", state["skip_reason"] = "the table gives no reason";
        break;
      case TableColumn::median:
        add("nv/cold/time/gpu/median");
        break;
      case TableColumn::mean:
        add("nv/cold/time/gpu/mean");
        break;
      case TableColumn::noise:
        add("nv/cold/time/gpu/stdev/relative");
        break;
      case TableColumn::batch:
        add("nv/batch/time/gpu/mean");
        break;
      case TableColumn::axis:
        state["axis_values"].push_back(table_axis(table.names[i], text));
        name += (name.empty() ? "" : " ") + table.names[i] + "=" + std::string(text);
        break;
      default:
        break;
    }
  }
  state["name"] = name;
  return state;
}

std::string table_cell(const ResultTable& table, const std::vector<std::string_view>& fields,
                       TableColumn wanted) {
  for (std::size_t i = 0; i < fields.size() && i < table.kinds.size(); ++i) {
    if (table.kinds[i] == wanted) return std::string(trim(fields[i]));
  }
  return "";
}

// What the JSON file says once: the devices, and of each benchmark's axes which are powers of two and what they are set to.
class TableDocument {
 public:
  explicit TableDocument(const ResultTable& table) : table_(table) {}

  void add(Json state, const std::vector<std::string_view>& fields) {
    add_device(state, table_cell(table_, fields, TableColumn::device_name));
    Benchmark& benchmark = benchmarks_[table_cell(table_, fields, TableColumn::benchmark)];
    for (const Json& axis : state["axis_values"]) note_value(benchmark, axis);
    benchmark.states.push_back(std::move(state));
  }

  Json take() {
    Json all = Json::array();
    for (auto& [name, benchmark] : benchmarks_) {
      Json axes = Json::array();
      for (auto& [axis, values] : benchmark.values)
        axes.push_back(
            {{"name", axis}, {"flags", is_power(axis) ? "pow2" : ""}, {"values", std::move(values)}});
      all.push_back({{"name", name}, {"axes", std::move(axes)}, {"states", std::move(benchmark.states)}});
    }
    return {{"devices", std::move(devices_)}, {"benchmarks", std::move(all)}};
  }

 private:
  struct Benchmark {
    std::map<std::string, Json> values;  // axis -> its first values, which tell whether it is a switch
    Json states = Json::array();
  };

  bool is_power(const std::string& axis) const {
    return std::find(table_.names.begin(), table_.names.end(), axis + " (pow2)") != table_.names.end();
  }

  static void note_value(Benchmark& benchmark, const Json& axis) {
    Json& values = benchmark.values.try_emplace(text_of(axis["name"]), Json::array()).first->second;
    Json value = {{"input_string", axis["value"]}};
    if (values.size() < 3 && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(std::move(value));
  }

  void add_device(const Json& state, const std::string& name) {
    auto id = number_of(member(state, "device"));
    if (!id || name.empty() || !known_.try_emplace(*id, true).second) return;
    devices_.push_back({{"id", *id}, {"name", name}});
  }

  const ResultTable& table_;
  std::map<std::string, Benchmark> benchmarks_;
  std::map<double, bool> known_;
  Json devices_ = Json::array();
};

}  // namespace

bool is_nvbench_csv(std::string_view head) { return head.starts_with(table_header); }

Json nvbench_table(const std::string& path, std::string_view text) {
  CsvReader csv(text);
  std::vector<std::string_view> fields;
  if (!csv.read(fields)) refuse_file(path, "its first line is no record of a CSV table");
  const ResultTable table = table_columns(fields, path);
  TableDocument document(table);
  for (std::size_t states = 0; !csv.at_end();) {
    std::size_t line = csv.line();
    if (trim(csv.peek_line()).empty()) {
      csv.skip_line();
      continue;
    }
    if (!csv.read(fields) || fields.size() != table.names.size())
      refuse_file(path, "line " + std::to_string(line) + " has not the columns of the first line",
                  "nvbench quotes no comma in a name: write --json FILE instead");
    if (++states > most_states) refuse_file(path, "more than a million states", "split the file");
    document.add(table_state(table, fields), fields);
  }
  return document.take();
}

}  // namespace explog::intake
