#include "intake/helion.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <map>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/measured_rows.h"
#include "intake/python_call.h"
#include "model/arch.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

enum HelionColumn {
  at_run,
  at_time,
  at_config_id,
  at_generation,
  at_status,
  at_ms,
  at_compile_time,
  at_config
};
constexpr std::string_view helion_header =
    "run_id,timestamp_s,config_id,generation,status,perf_ms,compile_time_s,config";
// Until 1.1 a log was one run's, and had no column for it.
constexpr std::string_view old_helion_header =
    "timestamp_s,config_index,generation,status,perf_ms,compile_time_s,config";

bool is_scalar_list(const Json& value) {
  return value.is_array() &&
         std::none_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); });
}

// Lists of numbers or words are a setting an element: block_sizes_0, block_sizes_1.
void add_flat(Params& settings, const std::string& name, const Json& value) {
  if (is_scalar_list(value)) {
    for (size_t i = 0; i < value.size(); ++i) add_flat(settings, name + "_" + std::to_string(i), value[i]);
  } else if (value.is_structured()) {
    add_named(settings, name, Scalar(json_text(value)));
  } else if (value.is_boolean()) {
    add_named(settings, name, Scalar(value.get<bool>()));
  } else if (value.is_number()) {
    add_named(settings, name, Scalar(value.get<double>()));
  } else if (value.is_string()) {
    add_named(settings, name, Scalar(value.get<std::string>()));
  } else if (value.is_null()) {
    add_named(settings, name, Scalar(std::string(python_none)));
  }
}

// "Config(block_sizes=[64], num_warps=4)" as {"block_sizes": [64], "num_warps": 4}.
Json settings_json(std::string_view text) {
  PythonCall call = parse_python_call(text);
  if (!call.positional.empty()) bad("'" + ellipsis(printable(text), 40) + "' has a value without a name");
  return call.named;
}

Trial trial_of_row(std::string_view state, std::string_view ms) {
  auto time = parse_number(ms);
  if (state == "ok" && time && *time > 0) return {Trial::State::valid, *time};
  if (state == "error") return {Trial::State::launch_failed};
  if (state == "timeout") return {Trial::State::timed_out};
  return {};
}

// "NVIDIA H200" out of the text that names the hardware, whatever stands around it.
void name_gpu(Experience& e, const std::string& hardware) {
  e.gpu = hardware;
  e.arch = canonical_arch(hardware).value_or("");
}

// What Helion calls the code that it made; "tileir" is another compiler of Triton's.
std::string backend_of_settings(const Json& settings) {
  std::string named = text_of(member(settings, "backend"));
  if (named.empty()) return "";
  if (named == "tileir") return std::string(word(RecordBackend::triton));
  return canonical(Vocabulary::backend, named).value_or(std::string(word(RecordBackend::other)));
}

using Runs = std::map<std::string, Experience, std::less<>>;

// What BASE.meta.jsonl says of each run; a sidecar that cannot be read is none.
Runs runs_beside(const std::string& path) {
  Runs runs;
  if (path == "-" || !path.ends_with(".csv")) return runs;
  std::string meta = path.substr(0, path.size() - 4) + ".meta.jsonl";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(meta, ignored)) return runs;
  for (std::string text = read_file(meta); std::string_view line : split(text, '\n')) {
    try {
      Json run = parse_json(trim(line).empty() ? "{}" : line, 0);
      Experience& e = runs[text_of(member(run, "run_id"))];
      e.kernel = text_of(member(run, "kernel_name"));
      name_gpu(e, text_of(member(run, "hardware")));
      e.backend = backend_of_settings(member(run, "settings"));
      std::string types = text_of(member(run, "dtypes"));
      for (char& c : types) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : ' ';
      for (std::string_view word : split(types, ' ')) {
        if (e.dtype.empty()) e.dtype = canonical(Vocabulary::dtype, word).value_or("");
      }
      if (std::string shapes = text_of(member(run, "input_shapes")); !shapes.empty())
        e.tags = {ellipsis("shapes=" + shapes, 100)};
    } catch (const JsonError&) {
    }
  }
  return runs;
}

class HelionLog {
 public:
  HelionLog(const std::string& path, std::istream* in)
      : path_(path), text_(read_text(path, in)), csv_(text_), runs_(runs_beside(path)) {
    is_old_ = trim(csv_.peek_line()) == old_helion_header;
    if (!is_old_ && trim(csv_.peek_line()) != helion_header)
      refuse_file(path, "not a log of Helion's autotuner: expected the columns " + std::string(helion_header),
                  "give the .csv that HELION_AUTOTUNE_LOG=BASE writes");
    csv_.skip_line();
    std::vector<std::string_view> fields;
    while (!csv_.at_end()) {
      size_t line = csv_.line();
      if (!csv_.read(fields)) {
        leave_out(line, "its quotes do not close");
        csv_.skip_line();
      } else if (!(fields.size() == 1 && trim(fields[0]).empty())) {
        if (is_old_) fields.insert(fields.begin(), "");
        take(fields, line);
      }
    }
    if (left_out_ > 0 && !groups_.empty())
      groups_.front().remarks.push_back(
          fmt::format("{} rows left out; the first: {}", left_out_, first_left_out_));
  }

  std::vector<MeasuredGroup> groups() { return std::move(groups_); }

 private:
  void take(const std::vector<std::string_view>& fields, size_t line) {
    if (fields.size() != at_config + 1)
      return leave_out(line, is_old_ ? "7 columns expected" : "8 columns expected");
    if (fields[at_status] == "started" || fields[at_status] == "filtered" ||
        fields[at_status] == "deduplicated")
      return;
    MeasuredRow row;
    row.trial = trial_of_row(fields[at_status], fields[at_ms]);
    if (row.trial.state == Trial::State::unusable)
      return leave_out(line, "status '" + ellipsis(printable(fields[at_status]), 20) + "' without a time");
    try {
      Json settings = settings_json(fields[at_config]);
      for (const auto& [name, value] : settings.items()) add_flat(row.settings, name, value);
    } catch (const JsonError& e) {
      return leave_out(line, printable(e.what()));
    }
    if (!valid_utf8(fields[at_run])) return leave_out(line, "run_id is not valid UTF-8");
    group_of_run(std::string(fields[at_run])).rows.push_back(std::move(row));
  }

  MeasuredGroup& group_of_run(const std::string& run) {
    auto [it, added] = places_.try_emplace(run, groups_.size());
    if (!added) return groups_[it->second];
    MeasuredGroup& group = groups_.emplace_back();
    group.where = shown_path(path_);
    Experience& e = group.common;
    if (auto known = runs_.find(run); known != runs_.end()) e = known->second;
    if (e.kernel.empty() && path_ != "-") e.kernel = file_name(path_).substr(0, file_name(path_).rfind('.'));
    if (!valid_utf8(e.kernel)) e.kernel.clear();
    e.kernel_type = e.kernel.empty() ? "" : kernel_type_of(e.kernel);
    group.usual_backend = word(RecordBackend::triton);
    e.condition = timing("ms", "median", "cold");
    e.source = "Helion autotuner log " + file_name(path_);
    return group;
  }

  void leave_out(size_t line, const std::string& why) {
    if (left_out_++ == 0) first_left_out_ = fmt::format("line {}: {}", line, why);
  }

  std::string path_, text_;
  CsvReader csv_;
  bool is_old_ = false;
  Runs runs_;
  std::map<std::string, size_t> places_;  // of each run's group
  std::vector<MeasuredGroup> groups_;
  size_t left_out_ = 0;
  std::string first_left_out_;
};

}  // namespace

Source helion(const std::string& path, std::istream* in) {
  return changes_of(path, list_groups(HelionLog(path, in).groups()));
}

bool looks_like_helion(std::string_view head) {
  return head.starts_with(helion_header) || head.starts_with(old_helion_header);
}

}  // namespace explog::intake
