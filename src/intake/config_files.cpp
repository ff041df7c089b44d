#include "intake/config_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "intake/common.h"
#include "intake/python_call.h"
#include "model/comments.h"

namespace explog::intake {
namespace {

struct Writing {
  std::string_view call, runtime;
};
// How kernels write a configuration; the longer name first, because all three may be imported by their last part.
constexpr std::array<Writing, 5> writings = {{{"triton.Config", "triton"},
                                              {"helion.Config", "helion"},
                                              {"SimpleNamespace", "cutile"},
                                              {"types.SimpleNamespace", "cutile"},
                                              {"Config", "triton"}}};
// Behind the kernel's own arguments, in this order where they have no names.
constexpr std::array<const char*, 5> positional_names = {"kwargs", "num_warps", "num_stages", "num_ctas",
                                                         "maxnreg"};

constexpr std::size_t most_sizes = 4096;  // of one file

constexpr int levels_around = 3, most_setting_levels = max_json_depth - levels_around;

bool is_size(const std::string& key) {
  return !key.empty() && key.size() <= 12 && key[0] != '0' &&
         std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void check_levels(const Json& value, int levels) {
  if (!value.is_structured()) return;
  if (levels == 0) bad("nested deeper than " + std::to_string(most_setting_levels) + " levels");
  if (value.size() > max_json_keys && value.is_object())
    bad("more than " + std::to_string(max_json_keys) + " keys in an object");
  for (const Json& child : value) check_levels(child, levels - 1);
}

void add_size_row(ReadConfigs& read, const std::string& key, const Json& value) {
  if (is_size(key) && (value.is_object() || value.is_null())) {
    check_settings(value);
    read.set.rows.push_back({std::stoll(key), value.dump()});
  } else if (key == "triton_version" && value.is_string() && read.set.toolkit.empty()) {
    read.set.toolkit = "triton " + value.get<std::string>();
  } else {
    read.remarks.push_back("'" + ellipsis(printable(key), 40) + "' left out: no size with its configuration");
  }
}

// triton.Config({"BLOCK": 64}, num_warps=4) as {"BLOCK": 64, "num_warps": 4}; null is "not set" there.
Json flat_params(const PythonCall& call, std::string_view runtime) {
  if (runtime != "triton") {
    if (!call.positional.empty()) bad("a value without a name");
    return call.named;
  }
  Json all = Json::object();
  if (call.positional.size() > positional_names.size()) bad("too many values");
  for (std::size_t i = 0; i < call.positional.size(); ++i) all[positional_names[i]] = call.positional[i];
  for (const auto& [name, value] : call.named.items()) {
    if (all.contains(name)) bad("'" + name + "' is set twice");
    all[name] = value;
  }
  Json flat = member(all, "kwargs").is_object() ? all["kwargs"] : Json::object();
  for (const auto& [name, value] : all.items()) {
    if (name == "kwargs" || value.is_null()) continue;
    if (flat.contains(name)) bad("'" + name + "' is set twice");
    flat[name] = value;
  }
  return flat;
}

// What the JSON form of a set refuses is refused here, where the file can be named.
void check_set(const ReadConfigs& read, const std::string& path) {
  try {
    check_config_set(read.set);
  } catch (const JsonError& e) {
    refuse_file(path, printable(e.what()));
  }
}

}  // namespace

void check_settings(const Json& value) { check_levels(value, most_setting_levels); }

bool is_tree_file(const std::string& path) { return config_set_named(path).has_value(); }

ReadConfigs read_tree_file(const std::string& path, std::string_view text, const std::string& runtime) {
  auto named = config_set_named(path);
  if (!named)
    refuse_file(path, "no name that vLLM or SGLang compute",
                "they are as E=8,N=384,device_name=NVIDIA_H200,dtype=fp8_w8a8.json");
  ReadConfigs read{std::move(*named), {}};
  if (!runtime.empty()) read.set.runtime = runtime;
  try {
    Json root = parse_json(text, most_sizes);  // a key that stands twice is refused
    if (!root.is_object()) bad("expected an object of sizes");
    for (const auto& [key, value] : root.items()) add_size_row(read, key, value);
  } catch (const JsonError& e) {
    refuse_file(path, printable(e.what()));
  }
  if (read.set.rows.empty()) refuse_file(path, "no configurations by size");
  check_set(read, path);
  return read;
}

ReadConfigs read_python_configs(const std::string& path, std::string_view text) {
  ReadConfigs read;
  read.set.kernel = file_name(path).substr(0, file_name(path).rfind('.'));
  std::string code = without_comments(text, {.python = true});
  std::size_t left_out = 0;
  std::string first;
  for (const Writing& writing : writings) {
    if (!read.set.rows.empty()) break;
    read.set.runtime = writing.runtime;
    for (std::string_view call : python_calls(code, writing.call)) {
      try {
        Json params = flat_params(parse_python_call(call), writing.runtime);
        check_settings(params);
        read.set.rows.push_back({std::nullopt, params.dump()});
      } catch (const JsonError&) {
        if (left_out++ == 0) first = ellipsis(printable(call), 80);
      }
    }
  }
  if (left_out > 0)
    read.remarks.push_back(
        fmt::format("{} left out, because not all values are written out; the first: {}", left_out, first));
  if (read.set.rows.empty())
    refuse_file(path, left_out > 0 ? read.remarks.front() : "no configurations",
                "explog reads triton.Config(...), helion.Config(...) and SimpleNamespace(...)");
  check_set(read, path);
  return read;
}

}  // namespace explog::intake
