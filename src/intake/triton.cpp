#include "intake/triton.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/measured_rows.h"
#include "intake/python_repr.h"
#include "model/arch.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr std::string_view cache_ending = ".autotune.json";
constexpr int listener_format = 1;

// What is neither a number nor a word nor true or false is kept as its text.
void add_setting(Params& settings, const std::string& name, const Json& value) {
  Scalar scalar = value.is_null()      ? Scalar(std::string(python_none))
                  : value.is_boolean() ? Scalar(value.get<bool>())
                  : value.is_number()  ? Scalar(value.get<double>())
                  : value.is_string()  ? Scalar(value.get<std::string>())
                                       : Scalar(json_text(value));
  add_named(settings, name, std::move(scalar));
}

// A time is the median where there are three (of 50, 20 and 80%), else what the user's own timer gave. Null is what
// was infinite: the configuration did not compile, or asked for more than the device has.
Trial trial_of_timing(const Json& timing) {
  const Json& first = timing.is_array() && !timing.empty() ? timing[0] : timing;
  if (first.is_null()) return {Trial::State::launch_failed};
  auto ms = number_of(first);
  if (!ms || *ms <= 0) return {};
  Trial trial{Trial::State::valid, *ms};
  auto low = timing.is_array() && timing.size() == 3 ? number_of(timing[1]) : std::nullopt;
  auto high = low ? number_of(timing[2]) : std::nullopt;
  if (high && *high >= *low) trial.noise = (*high - *low) / *ms;
  return trial;
}

bool has_quantiles(const Json& timings) {
  for (const Json& entry : timings) {
    if (entry.is_array() && entry.size() == 2 && entry[1].is_array() && entry[1].size() == 3) return true;
  }
  return false;
}

void add_rows(MeasuredGroup& group, const Json& timings) {
  if (!timings.is_array()) bad("\"configs_timings\" must be a list");
  for (const Json& entry : timings) {
    bool pair = entry.is_array() && entry.size() == 2 && entry[0].is_object();
    if (!pair) bad("expected a configuration and its time, got " + ellipsis(printable(entry.dump()), 60));
    MeasuredRow& row = group.rows.emplace_back();
    for (const auto& [name, value] : member(entry[0], "kwargs").items())
      add_setting(row.settings, name, value);
    for (const auto& [name, value] : entry[0].items()) {  // num_warps and whatever else this release has
      if (name != "kwargs") add_setting(row.settings, name, value);
    }
    row.trial = trial_of_timing(entry[1]);
  }
  group.common.condition = timing("ms", has_quantiles(timings) ? "median" : "unknown", "cold");
}

// The key holds the values of the tuning key's arguments and behind them the tensors' types, without names.
void read_key(const Json& key, Experience& e) {
  int sizes = 0;
  for (const Json& value : key) {
    std::string text = text_of(value);
    auto number = number_of(value);
    if (number && *number >= 1) add_named(e.shape, "d" + std::to_string(sizes++), *number);
    std::string_view type = text;
    type = type.substr(type.rfind('.') + 1);
    auto dtype = number ? std::nullopt : canonical(Vocabulary::dtype, type);
    if (dtype && e.dtype.empty()) e.dtype = *dtype;
  }
}

void name_kernel(Experience& e, const std::string& name) {
  e.kernel = name;
  e.kernel_type = name.empty() ? "" : kernel_type_of(name);
  e.backend = word(RecordBackend::triton);
}

MeasuredGroup group_of_line(const std::string& line) {
  Json root = parse_json(python_to_json(line));
  refuse_other_format(root, listener_format);
  MeasuredGroup group;
  Experience& e = group.common;
  name_kernel(e, text_of(member(root, "fn")));
  read_key(member(root, "key"), e);
  e.gpu = text_of(member(root, "device"));
  std::string arch = text_of(member(root, "arch"));
  e.arch = canonical_arch(arch.empty() ? e.gpu : arch).value_or("");
  e.toolkit = text_of(member(root, "triton"));
  add_rows(group, member(root, "timings"));
  return group;
}

class ListenerLog {
 public:
  ListenerLog(const std::string& path, std::istream* in) : path_(path), lines_(path, in) {}

  std::optional<MeasuredGroup> next() {
    while (auto line = lines_.next()) {
      if (trim(*line).empty() && !lines_.too_long()) continue;
      MeasuredGroup group = read(*line);
      group.where = fmt::format("{}:{}", shown_path(path_), lines_.number());
      group.common.source = "Triton autotuner log " + file_name(path_);
      return group;
    }
    return std::nullopt;
  }

 private:
  MeasuredGroup read(std::string_view line) const {
    MeasuredGroup faulty;
    if (lines_.too_long()) {
      faulty.fault = "longer than 256 KiB, some 1,500 configurations: split the search";
      return faulty;
    }
    try {
      return group_of_line(std::string(line));
    } catch (const JsonError& e) {
      faulty.fault = "not a line of the Triton listener: " + printable(fault_of_line(e));
    }
    return faulty;
  }

  std::string path_;
  LineReader lines_;
};

bool has_key(std::string_view head, const char* key) { return head.find(key) != std::string_view::npos; }

}  // namespace

Source triton_cache(const std::string& path, std::istream* in) {
  MeasuredGroup group;
  group.where = shown_path(path);
  try {
    Json root = parse_json(python_to_json(read_text(path, in)));
    if (!member(root, "configs_timings").is_array()) bad("no list \"configs_timings\"");
    std::string name = file_name(path);
    if (name.ends_with(cache_ending)) name.resize(name.size() - cache_ending.size());
    name_kernel(group.common, path == "-" ? "" : name);
    read_key(member(root, "key"), group.common);
    add_rows(group, root["configs_timings"]);
  } catch (const JsonError& e) {
    refuse_file(path, std::string("not a cache file of Triton's autotuner: ") + printable(e.what()),
                "they lie in ~/.triton/cache and end in .autotune.json");
  }
  group.common.source = "Triton autotuner cache " + file_name(path);
  group.remarks.emplace_back("the file names neither GPU nor arch: give --gpu or --arch");
  return changes_of(path, list_groups({std::move(group)}));
}

bool looks_like_triton_cache(std::string_view head) {
  return head[0] == '{' && has_key(head, "\"configs_timings\"") && has_key(head, "\"key\"");
}

Source triton_log(const std::string& path, std::istream* in) {
  auto log = std::make_shared<ListenerLog>(path, in);
  return changes_of(path, [log] { return log->next(); });
}

bool looks_like_triton_log(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  return line[0] == '{' && has_key(line, "\"timings\"") && has_key(line, "\"fn\"") &&
         has_key(line, "\"format\"");
}

}  // namespace explog::intake
