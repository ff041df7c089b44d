// vLLM's trees for its kernels in Helion: helion/configs/KERNEL/nvidia_h100.json. The folder names the kernel, the file the
// GPU; a key is the problem that its configuration was found for.
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "intake/common.h"
#include "intake/config_files.h"

namespace explog::intake {
namespace {

constexpr std::array<std::string_view, 3> makers = {"nvidia_", "amd_", "intel_"};
constexpr std::string_view json_ending = ".json";
constexpr std::size_t most_cases = 4096;  // of one file

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string folder_kernel(const std::string& path) {
  return std::filesystem::absolute(path).parent_path().filename().string();
}

// "nvidia_h100_80gb_hbm3" -> "NVIDIA H100 80GB HBM3", as the driver calls it.
std::string file_gpu(const std::string& path) {
  std::string name = replace_all(file_name(path), "_", " ");
  name.resize(name.size() - json_ending.size());
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

// {"K": 4096, "M": 1, "dtype": "fp8"}: numbers from 1 are the shape, all else labels. A key that is text is one label.
void put_key(const Json& key, ConfigSet& set) {
  if (key.is_string()) return void(set.labels.emplace_back("case", key.get<std::string>()));
  if (!key.is_object()) bad("a key must be an object or text");
  for (const auto& [name, value] : key.items()) {
    if (value.is_number_integer() && value.get<std::int64_t>() >= 1)
      set.shape.emplace_back(name, value.get<std::int64_t>());
    else
      set.labels.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

ConfigSet helion_set(const ConfigSet& common, const Json& key, const Json& config) {
  ConfigSet set = common;
  put_key(key, set);
  if (!config.is_object()) bad("a configuration must be an object");
  check_settings(config);
  set.rows.push_back({std::nullopt, config.dump()});
  check_config_set(set);
  return set;
}

// Both forms: [{"key": {...}, "config": {...}}], and {"batch_32": {...}} of older releases.
std::vector<ConfigSet> helion_sets(const Json& root, const ConfigSet& common) {
  if (!root.is_structured()) bad("expected a list of keys and configurations");
  if (root.size() > most_cases) bad("more than 4,096 configurations");
  std::vector<ConfigSet> sets;
  std::vector<std::string> seen;
  for (const auto& [name, value] : root.items()) {
    const Json& key = root.is_object() ? Json(name) : member(value, "key");
    sets.push_back(helion_set(common, key, root.is_object() ? value : member(value, "config")));
    seen.push_back(key.dump());
  }
  std::sort(seen.begin(), seen.end());
  if (auto twice = std::adjacent_find(seen.begin(), seen.end()); twice != seen.end())
    bad("two configurations for " + ellipsis(*twice, 80));
  return sets;
}

}  // namespace

bool is_helion_tree_file(const std::string& path) {
  std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (!name.ends_with(json_ending)) return false;
  name.remove_suffix(json_ending.size());
  return is_plain_name(name) && is_plain_name(folder_kernel(path)) &&
         std::any_of(makers.begin(), makers.end(), [&](std::string_view m) { return name.starts_with(m); });
}

std::vector<ConfigSet> read_helion_tree(const std::string& path, std::string_view text) {
  if (!is_helion_tree_file(path))
    refuse_file(path, "no name of vLLM's trees for Helion", "they are as KERNEL/nvidia_h100.json");
  ConfigSet common;
  common.runtime = "helion";
  common.kernel = folder_kernel(path);
  common.gpu = file_gpu(path);
  try {
    std::vector<ConfigSet> sets = helion_sets(parse_json(text, most_cases), common);
    if (sets.empty()) bad("no configurations");
    return sets;
  } catch (const JsonError& e) {
    refuse_file(path, printable(e.what()));
  }
}

}  // namespace explog::intake
