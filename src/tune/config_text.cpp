#include "tune/config_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "model/json.h"

namespace explog::tune {
namespace {

constexpr std::array<std::string_view, 4> launch_settings = {"num_warps", "num_stages", "num_ctas",
                                                             "maxnreg"};

bool is_launch_setting(std::string_view name) {
  return std::find(launch_settings.begin(), launch_settings.end(), name) != launch_settings.end();
}

bool is_python_name(std::string_view name) {
  bool word = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  for (char c : name) word &= std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  return word;
}

std::string python_value(const Json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_string()) return json_quote(value.get<std::string>());
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [name, element] : value.items())
    text += (text.empty() ? "" : ", ") + (value.is_object() ? json_quote(name) + ": " : "") +
            python_value(element);
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

std::string named_arguments(const Json& params) {
  std::string text, others;
  for (const auto& [name, value] : params.items()) {
    bool plain = is_python_name(name);
    std::string& to = plain ? text : others;
    to += (to.empty() ? "" : ", ") + (plain ? name + "=" : json_quote(name) + ": ") + python_value(value);
  }
  if (!others.empty()) text += (text.empty() ? "" : ", ") + ("**{" + others + "}");
  return text;
}

// Triton has the kernel's own arguments in a dictionary and those of the launch behind it.
std::string triton_call(const Json& params) {
  Json own = Json::object(), launch = Json::object();
  for (const auto& [name, value] : params.items())
    (is_launch_setting(lower(name)) ? launch[lower(name)] : own[name]) = value;
  std::string settings = named_arguments(launch);
  return "triton.Config(" + python_value(own) + (settings.empty() ? "" : ", " + settings) + ")";
}

// block_sizes_0 and block_sizes_1 are one list of Helion: elements that are numbered without a gap.
Json with_lists(const Json& params) {
  std::map<std::string, Json> lists;
  for (const auto& [name, value] : params.items()) {
    std::size_t at = name.rfind('_');
    std::string stem = name.substr(0, at);
    if (at == std::string::npos || at == 0) continue;
    auto [list, added] = lists.try_emplace(stem, Json::array());
    if (name.substr(at + 1) == std::to_string(list->second.size())) list->second.push_back(value);
    if (list->second.empty()) lists.erase(list);
  }
  Json joined = Json::object();
  for (const auto& [name, value] : params.items()) {
    std::size_t at = name.rfind('_');
    auto list = at == std::string::npos ? lists.end() : lists.find(name.substr(0, at));
    auto number = list == lists.end() ? std::nullopt : parse_number(name.substr(at + 1));
    bool element = number && *number >= 0 && *number < static_cast<double>(list->second.size()) &&
                   number_text(*number) == name.substr(at + 1);
    if (element)
      joined[list->first] = list->second;
    else
      joined[name] = value;
  }
  return joined;
}

std::string call_of(const Json& params, const std::string& runtime) {
  if (runtime == "triton") return triton_call(params);
  if (runtime == "helion") return "helion.Config(" + named_arguments(with_lists(params)) + ")";
  return "SimpleNamespace(" + named_arguments(params) + ")";
}

std::string comment_of(const ConfigSet& set) {
  std::vector<std::string> parts = {set.kernel};
  for (const auto& [name, value] : set.shape) parts.push_back(name + "=" + std::to_string(value));
  for (const std::string& text : {set.gpu, set.toolkit}) {
    if (!text.empty()) parts.push_back(text);
  }
  return printable(join(parts, ", "));
}

}  // namespace

ConfigSets list_sets(const std::vector<Tuned>& results, const std::string& runtime) {
  ConfigSets all;
  for (const Tuned& t : results) {
    ConfigSet set{runtime, t.key.kernel, t.key.shape, t.key.gpu, t.key.toolkit, {}, {}};
    std::vector<Settings> good = t.ties;
    good.insert(good.begin(), t.best);
    for (const Settings& settings : good) {
      Json params = Json::object();
      for (const auto& [name, value] : settings) params[name] = json_value(value);
      set.rows.push_back({std::nullopt, params.dump()});
    }
    all.sets.push_back(std::move(set));
  }
  return all;
}

std::string tree_text(const ConfigSet& set) {
  Json root = Json::object();
  if (set.runtime == "vllm" && set.toolkit.starts_with("triton "))
    root["triton_version"] = set.toolkit.substr(7);
  for (const ConfigRow& row : set.rows) root[std::to_string(row.size.value_or(1))] = parse_json(row.params);
  return root.dump(4) + "\n";
}

std::string python_text(const std::vector<ConfigSet>& sets, const std::string& runtime) {
  std::string text = "# Written by `explog tune export --to " + runtime + "`.\n";
  text += runtime == "cutile"   ? "from types import SimpleNamespace\n"
          : runtime == "helion" ? "import helion\n"
                                : "import triton\n";
  text += "\nconfigs = [\n";
  std::set<std::string> there;
  for (const ConfigSet& set : sets) {
    std::string rows;
    for (const ConfigRow& row : set.rows) {
      std::string call = row.params == "null" ? "" : call_of(parse_json(row.params), runtime);
      if (!call.empty() && there.insert(call).second) rows += "    " + call + ",\n";
    }
    if (!rows.empty()) text += "    # " + comment_of(set) + "\n" + rows;
  }
  return text + "]\n";
}

}  // namespace explog::tune
