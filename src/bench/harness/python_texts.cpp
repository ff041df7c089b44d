#include "bench/harness/python_texts.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "bench/code/cubin.h"
#include "bench/harness/python_candidate.h"
#include "model/json.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

// What Triton keeps beside a cubin: {"name": "softmax", "num_warps": 4, "num_stages": 3, "shared": 1040, ...}. The
// candidate may have written there whatever it liked.
IrKernel read_metadata(const std::string& text, const std::string& file_name) {
  IrKernel kernel{file_name, {}, {}, {}};
  try {
    Json said = parse_json(text);
    for (auto [name, to] : {std::pair("num_warps", &kernel.num_warps),
                            {"num_stages", &kernel.num_stages},
                            {"shared", &kernel.shared}}) {
      auto at = said.is_object() ? said.find(name) : said.end();
      if (at != said.end() && at->is_number_unsigned()) *to = at->get<std::int64_t>();
    }
  } catch (const JsonError&) {  // of another version: the cubin is there all the same
  }
  return kernel;
}

std::vector<fs::path> cubin_files(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".cubin") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_of(const Json& dims, const Facts& shape) {
  auto same = [&](const auto& named) {
    auto at = dims.find(named.first);
    return at != dims.end() && at->is_number() && at->template get<double>() == named.second;
  };
  return dims.is_object() && dims.size() == shape.size() && std::all_of(shape.begin(), shape.end(), same);
}

// Of a name that a parameter may have, and a value that one line holds.
std::optional<Scalar> setting_in(const std::string& name, const Json& value) {
  constexpr std::size_t longest_name = 64, longest_text = 128;
  if (!is_name(name) || name.size() > longest_name) return std::nullopt;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  auto text = value.get<std::string>();
  if (!text.empty() && text.size() <= longest_text && printable(text) == text) return text;
  return std::nullopt;
}

Params settings_in(const Json& chosen) {
  constexpr std::size_t most = 64;
  Params settings;
  if (!chosen.is_object()) return settings;
  for (const auto& [kernel, config] : chosen.items()) {
    if (!config.is_object() || !is_name(kernel)) continue;
    for (const auto& [name, value] : config.items()) {
      auto setting = setting_in(name, value);
      if (!setting || settings.size() == most) continue;
      settings.emplace_back(chosen.size() > 1 ? kernel + "." + name : name, *setting);
    }
  }
  return settings;
}

}  // namespace

Params chosen_settings(std::string_view lines, const Facts& shape) {
  Params settings;
  for (std::string_view line : split(lines, '\n')) {
    try {
      Json said = trim(line).empty() ? Json() : parse_json(line);
      if (said.contains("dims") && said.contains("chosen") && is_of(said["dims"], shape))
        settings = settings_in(said["chosen"]);
    } catch (const JsonError&) {  // whatever else a candidate wrote there
    }
  }
  return settings;
}

std::string text_if_there(const std::string& path) {
  return access(path.c_str(), R_OK) == 0 ? read_file(path) : "";
}

void add_kernel_texts(CodeTexts& all, const IrKernel& kernel, CodeTexts one, const std::string& folder) {
  all.cubin += one.cubin;
  for (const auto& [kind, text] : code_kinds()) {
    std::string& added = one.*text;
    if (added.empty()) continue;
    added = replace_all(std::move(added), folder + "/", "");
    bool headed = text == &CodeTexts::ttgir || text == &CodeTexts::tileir;
    all.*text += (headed ? ir_heading(kernel) : "") + added + (added.ends_with('\n') ? "" : "\n");
  }
}

CodeTexts code_of_module(const std::string& product) {
  CodeTexts all;
  std::string launched = text_if_there(product + ".cubin");
  std::set<std::string> wanted;
  for (std::string_view image : cubins_in(launched)) wanted.insert(read_cubin(image)->hash);
  for (const fs::path& file :
       wanted.empty() ? std::vector<fs::path>() : cubin_files(product + "/" + std::string(python_cache))) {
    auto cubin = read_cubin(text_if_there(file.string()));
    if (!cubin || wanted.erase(cubin->hash) == 0) continue;
    auto beside = [&](const char* ending) {
      return text_if_there(fs::path(file).replace_extension(ending).string());
    };
    CodeTexts one;
    one.ptx = beside(".ptx");
    one.ttgir = beside(".ttgir");
    std::string name = cubin->kernels.empty() ? file.stem().string() : cubin->kernels.front().name;
    add_kernel_texts(all, read_metadata(beside(".json"), name), std::move(one), product);
  }
  all.cubin = std::move(launched);
  if (!wanted.empty())
    all.ptx.clear();  // another compiler made the rest: instructions of a part would pass for all
  return all;
}

}  // namespace explog::bench
