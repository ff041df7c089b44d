// Names of files in the trees of vLLM and SGLang, both ways. Both compute them from the problem and the GPU:
// E=8,N=384,device_name=NVIDIA_H200,dtype=fp8_w8a8,block_shape=[128,128].json.
#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "model/config_set.h"

namespace explog {
namespace {

constexpr std::string_view ending = ".json", down = "_down", version_folder = "triton_";

struct TreeKernel {
  std::string_view first, second, name;  // the dimensions that its names begin with
};
constexpr std::array<TreeKernel, 3> tree_kernels = {
    {{"E", "N", "fused_moe"}, {"N", "K", "block_gemm"}, {"headdim", "dstate", "selective_state_update"}}};

// "a=1,b=[2,3],c=x" at commas outside of brackets.
std::vector<std::string_view> name_parts(std::string_view stem) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= stem.size(); ++i) {
    if (i < stem.size() && stem[i] == '[') ++depth;
    if (i < stem.size() && stem[i] == ']') --depth;
    if (i < stem.size() && (stem[i] != ',' || depth > 0)) continue;
    parts.push_back(stem.substr(from, i - from));
    from = i + 1;
  }
  return parts;
}

std::string_view kernel_of(const Dims& shape) {
  for (const TreeKernel& kernel : tree_kernels) {
    if (shape.size() == 2 && shape[0].first == kernel.first && shape[1].first == kernel.second)
      return kernel.name;
  }
  return "";
}

// vLLM's fused MoE takes one name for the whole family of the H200.
std::string device_in_name(const ConfigSet& s) {
  std::string device = replace_all(s.gpu, " ", "_");
  bool family = s.runtime == "vllm" && s.kernel == "fused_moe" && has_part(device, '_', "H200");
  return family ? "NVIDIA_H200" : device;
}

// SGLang writes a blank behind the comma of a list, vLLM only for its matrix product of 8-bit integers.
bool has_blank_in_lists(const ConfigSet& s) {
  const std::pair<std::string, std::string> int8{"dtype", "int8_w8a8"};
  bool is_int8 = std::find(s.labels.begin(), s.labels.end(), int8) != s.labels.end();
  return s.runtime == "sglang" || (s.kernel == "block_gemm" && is_int8);
}

// The folder "triton_3_5_1" somewhere in the path, as a version.
std::string version_in(std::string_view path) {
  for (std::string_view folder : split(path, '/')) {
    if (!folder.starts_with(version_folder)) continue;
    std::string digits(folder.substr(version_folder.size()));
    bool numbers = !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    if (numbers) return "triton " + replace_all(digits, "_", ".");
  }
  return "";
}

}  // namespace

std::string config_path(const ConfigSet& s) {
  std::string name, tail;
  for (const auto& [dimension, value] : s.shape) name += dimension + "=" + std::to_string(value) + ",";
  name += "device_name=" + device_in_name(s);
  for (const auto& [label, value] : s.labels) {
    if (label == "down" && value == "True")
      tail = down;
    else
      name += "," + label + "=" + (has_blank_in_lists(s) ? replace_all(value, ",", ", ") : value);
  }
  std::string folder;
  if (s.runtime == "sglang" && s.kernel == "fused_moe" && !s.toolkit.empty())
    folder = "configs/" + replace_all(replace_all(s.toolkit, " ", "_"), ".", "_") + "/";
  return folder + name + tail + std::string(ending);
}

std::optional<ConfigSet> config_set_named(std::string_view path) {
  std::string_view stem = path.substr(path.rfind('/') + 1);
  if (!stem.ends_with(ending)) return std::nullopt;
  stem.remove_suffix(ending.size());
  ConfigSet s;
  bool is_down = stem.ends_with(down);
  if (is_down) stem.remove_suffix(down.size());
  for (std::string_view part : name_parts(stem)) {
    std::size_t at = part.find('=');
    if (at == std::string_view::npos) return std::nullopt;
    std::string key(part.substr(0, at)), value(part.substr(at + 1));
    auto number = parse_number(value);
    if (key == "device_name")
      s.gpu = replace_all(value, "_", " ");
    else if (s.gpu.empty() && number && *number >= 1 && *number < 1e12 && value == number_text(*number))
      s.shape.emplace_back(key, static_cast<std::int64_t>(*number));
    else if (!s.gpu.empty())
      s.labels.emplace_back(key, replace_all(value, " ", ""));
    else
      return std::nullopt;
  }
  s.kernel = kernel_of(s.shape);
  if (s.kernel.empty() || s.gpu.empty()) return std::nullopt;
  if (is_down) s.labels.emplace_back("down", "True");
  s.toolkit = version_in(path);
  // What only SGLang writes: a blank inside of a list, folders by Triton's version, a type scaled by channels.
  bool sglang = stem.find(", ") != std::string_view::npos || !s.toolkit.empty() ||
                stem.find("_channelwise") != std::string_view::npos;
  s.runtime = sglang ? "sglang" : "vllm";
  return s;
}

}  // namespace explog
