// Configurations that somebody found good for a kernel, without times: candidates, never answers. What runtimes and
// kernels carry in their sources, and what `tune export` writes for them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/task.h"

namespace explog {

constexpr int config_set_format = 1;

struct ConfigRow {
  std::optional<std::int64_t> size;  // tokens or rows that it is for; nothing where the set is a plain list
  std::string params;                // canonical JSON: an object of settings, or null for "none is good here"
};

struct ConfigSet {
  std::string runtime;  // who reads it: vllm, sglang, triton, helion, cutile
  std::string kernel;   // fused_moe, block_gemm, selective_state_update; else the kernel's own name
  Dims shape;           // {"E":8,"N":384}
  std::string gpu;      // "NVIDIA H200"; empty where the file does not say it
  std::string toolkit;  // "triton 3.5.1"; empty where it is not known
  std::vector<std::pair<std::string, std::string>> labels;  // dtype=fp8_w8a8, block_shape=[128,128], ...
  std::vector<ConfigRow> rows;
};

// Throws JsonError naming what no set may hold. `params` are taken to be canonical JSON: parse_json(p).dump().
void check_config_set(const ConfigSet& set);
// One JSON line; parse_config_set(to_json(s)) gives s again. Throws JsonError naming the key.
std::string to_json(const ConfigSet& set);
ConfigSet parse_config_set(std::string_view json);

// Where the runtime looks for it below its folder of configurations: "E=8,N=384,device_name=NVIDIA_H200.json",
// "configs/triton_3_5_1/E=8,...". Only for vllm and sglang.
std::string config_path(const ConfigSet& set);
// What the file's name says: runtime, kernel, shape, gpu and labels. Nothing for a name that no runtime computes.
std::optional<ConfigSet> config_set_named(std::string_view path);

}  // namespace explog
