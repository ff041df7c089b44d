// Results of tuning -> files of the trees that vLLM and SGLang look configurations up in.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/json.h"
#include "model/vocabulary.h"
#include "tune/config_text.h"

namespace explog::tune {
namespace {

// What the runtimes' kernels take; the first three a configuration must have.
constexpr std::array<std::string_view, 13> taken = {
    "BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K", "GROUP_SIZE_M",         "num_warps",
    "num_stages",   "SPLIT_K",      "num_ctas",     "matrix_instr_nonkdim", "kpack",
    "waves_per_eu", "USE_TMA",      "SWAP_AB"};
constexpr std::size_t required = 3;

// BLOCK_M, block_size_m -> BLOCK_SIZE_M; empty for a knob that the kernels do not have.
std::string taken_name(const std::string& knob) {
  for (std::string_view name : taken) {
    if (lower(knob) == lower(name) || lower(knob) == replace_all(lower(name), "_size", ""))
      return std::string(name);
  }
  return "";
}

std::optional<std::int64_t> dimension(const Dims& shape, std::string_view name) {
  for (const auto& [has, value] : shape) {
    if (lower(has) == lower(name)) return value;
  }
  return std::nullopt;
}

// The label of the element type; float16 and bfloat16 have none, and are left empty.
std::string type_label(const std::string& dtype) {
  std::string type = canonical(Vocabulary::dtype, dtype).value_or("");
  return type == "f8" ? "fp8_w8a8" : type == "i8" ? "int8_w8a8" : type == "f32" ? "float32" : "";
}

// A row of a file, or why there is none.
struct TreeRow {
  ConfigSet set;
  std::string why;
};

void add_labels(ConfigSet& set, const Tuned& t) {
  if (std::string type = type_label(t.key.dtype); !type.empty()) set.labels.emplace_back("dtype", type);
  auto n = dimension(t.key.shape, "block_n"), k = dimension(t.key.shape, "block_k");
  if (n && k)
    set.labels.emplace_back("block_shape", "[" + std::to_string(*n) + "," + std::to_string(*k) + "]");
}

// The kernel and the dimensions of its files' names.
std::string name_problem(ConfigSet& set, const Tuned& t) {
  bool moe = t.key.kernel_type == "moe";
  if (!moe && t.key.kernel_type != "gemm")
    return "no kernel that looks configurations up: " + t.key.kernel_type;
  set.kernel = moe ? "fused_moe" : "block_gemm";
  for (const char* name : moe ? std::array{"E", "N"} : std::array{"N", "K"}) {
    auto value = dimension(t.key.shape, name);
    if (!value) return set.kernel + " needs a dimension " + name;
    set.shape.emplace_back(name, *value);
  }
  add_labels(set, t);
  bool block = set.labels.size() == 2 && set.labels[0].second != "float32";
  if (!moe && !block)
    return "only gemm of 8 bits scaled in blocks is looked up: dimensions block_n and block_k, dtype f8 or "
           "i8";
  return "";
}

std::string read_params(Json& params, const Tuned& t) {
  for (const auto& [knob, value] : t.best) {
    std::string name = taken_name(knob);
    if (name.empty()) return "no kernel there takes " + knob;
    params[name] = json_value(value);
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (!params.contains(taken[i])) return "no knob is its " + std::string(taken[i]);
  }
  return "";
}

TreeRow row_of(const Tuned& t, const std::string& runtime) {
  TreeRow row;
  ConfigSet& set = row.set;
  set.runtime = runtime;
  set.gpu = t.key.gpu;
  if (t.key.toolkit.starts_with("triton ")) set.toolkit = t.key.toolkit.substr(0, t.key.toolkit.find(' ', 7));
  row.why = name_problem(set, t);
  auto size = dimension(t.key.shape, "M");
  Json params = Json::object();
  if (row.why.empty()) row.why = read_params(params, t);
  if (row.why.empty() && !size) row.why = set.kernel + " needs a dimension M";
  if (row.why.empty() && set.gpu.empty()) row.why = "the result names no GPU";
  if (row.why.empty() && set.kernel == "fused_moe" && runtime == "sglang" && set.toolkit.empty())
    row.why = "SGLang files them by Triton's version, which the result does not name";
  set.rows.push_back({size, params.dump()});
  return row;
}

}  // namespace

ConfigSets tree_sets(const std::vector<Tuned>& results, const std::string& runtime) {
  ConfigSets all;
  std::map<std::string, std::size_t> places;
  for (const Tuned& t : results) {
    TreeRow row = row_of(t, runtime);
    if (!row.why.empty()) {
      all.left_out.push_back(printable(t.key.task + "/" + t.key.kernel) + ": " + printable(row.why));
      continue;
    }
    auto [place, added] = places.try_emplace(config_path(row.set), all.sets.size());
    if (added) {
      all.sets.push_back(std::move(row.set));
      continue;
    }
    std::vector<ConfigRow>& rows = all.sets[place->second].rows;
    bool there = std::any_of(rows.begin(), rows.end(),
                             [&](const ConfigRow& r) { return r.size == row.set.rows[0].size; });
    if (!there) rows.push_back(row.set.rows[0]);
  }
  for (ConfigSet& set : all.sets)
    std::sort(set.rows.begin(), set.rows.end(),
              [](const ConfigRow& a, const ConfigRow& b) { return a.size < b.size; });
  return all;
}

}  // namespace explog::tune
