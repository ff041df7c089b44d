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

// How a kernel is launched, which a search steps through in powers of two as a problem's size is.
constexpr std::array<std::string_view, 11> launch_names = {
    "threads",  "numthreads", "threadsperblock", "blockthreads", "blocksize",     "blockdim",
    "gridsize", "griddim",    "numblocks",       "blockspersm",  "itemsperthread"};

std::string bare(std::string name) {
  std::erase_if(name, [](char c) { return c == '_' || c == ' ' || c == '#'; });
  return name;
}

bool is_launch_name(const std::string& name) {
  return std::find(launch_names.begin(), launch_names.end(), bare(name)) != launch_names.end();
}

bool is_size_name(std::string name) {
  name = bare(std::move(name));
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
  std::string plain = lower(plain_axis_name(name));
  bool is_pow2 = flags.find("pow2") != std::string_view::npos;
  bool problem = name.ends_with("{io}") || is_size_name(plain) || (is_pow2 && !is_launch_name(plain));
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
