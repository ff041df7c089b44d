#include "intake/nvbench_axes.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace explog::intake {
namespace {

constexpr std::array<std::string_view, 32> sizes = {
    "n",        "m",      "k",        "l",        "t",     "b",       "d",     "h",
    "w",        "c",      "size",     "rows",     "cols",  "columns", "batch", "batches",
    "length",   "width",  "height",   "depth",    "dim",   "dims",    "head",  "heads",
    "channels", "seqlen", "segments", "elements", "bytes", "inputs",  "items", "problemsize"};

bool is_size_name(std::string name) {
  std::erase_if(name, [](char c) { return c == '_' || c == ' ' || c == '#'; });
  for (std::string_view prefix : {"num", "numberof"}) {
    std::string_view rest = std::string_view(name).substr(std::min(prefix.size(), name.size()));
    if (name.starts_with(prefix) && std::find(sizes.begin(), sizes.end(), rest) != sizes.end()) return true;
  }
  return std::find(sizes.begin(), sizes.end(), name) != sizes.end();
}

}  // namespace

std::string plain_axis_name(std::string_view name) {
  return std::string(trim(name.substr(0, name.find('{'))));
}

AxisRole role_of_axis(std::string_view name, std::string_view type, std::string_view flags) {
  if (type != "int64" && type != "float64") return AxisRole::label;
  bool problem = flags.find("pow2") != std::string_view::npos || name.ends_with("{io}") ||
                 is_size_name(lower(plain_axis_name(name)));
  return problem ? AxisRole::size : AxisRole::tuning;
}

std::optional<bool> switch_word(std::string_view word) {
  std::string low = lower(trim(word));
  if (low == "on" || low == "true" || low == "yes" || low == "1") return true;
  if (low == "off" || low == "false" || low == "no" || low == "0") return false;
  return std::nullopt;
}

bool names_element_type(std::string_view name) {
  std::string plain = lower(plain_axis_name(name));
  return plain == "t" || plain == "type" || plain == "datatype" || plain == "valuetype" || plain == "dtype" ||
         plain == "keyt";
}

}  // namespace explog::intake
