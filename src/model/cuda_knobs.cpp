#include "model/cuda_knobs.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "model/comments.h"

namespace explog {
namespace {

constexpr std::size_t most_constants = 16, most_looked_at = 200;
constexpr std::uint32_t smallest_size = 2, largest_size = 4096;

// Groups: name, number.
constexpr const char* define_form = R"((?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+(\d{1,5})[ \t\r]*$)";
constexpr const char* constant_form =
    R"(\b(?:constexpr|const)\s+(?:static\s+)?(?:unsigned\s+|signed\s+)?(?:int|unsigned|long|short|auto|(?:std::)?(?:size_t|u?int(?:8|16|32|64)_t))\s+([A-Za-z_]\w*)\s*=\s*(\d{1,5})[uUlL]*\s*;)";

struct CudaConstant {
  std::string name;
  std::uint32_t value = 0;
  std::size_t at = 0;  // of the number in the source
  bool macro = false;
};

bool is_identifier(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t uses_of(std::string_view code, std::string_view name) {
  std::size_t n = 0;
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    bool begins = at == 0 || !is_identifier(code[at - 1]);
    bool ends = at + name.size() == code.size() || !is_identifier(code[at + name.size()]);
    n += begins && ends ? 1 : 0;
  }
  return n;
}

void collect(std::vector<CudaConstant>& found, std::string_view code, const char* pattern, bool macro) {
  RE2 form(pattern);
  re2::StringPiece rest(code.data(), code.size()), number;
  for (std::string name; found.size() < most_looked_at && RE2::FindAndConsume(&rest, form, &name, &number);) {
    auto at = static_cast<std::size_t>(number.data() - code.data());
    found.push_back({name, static_cast<std::uint32_t>(std::stoul(std::string(number))), at, macro});
  }
}

bool is_of_hardware(const std::string& name) {
  std::string plain = replace_all(lower(name), "_", "");
  return plain.find("warpsize") != std::string::npos || plain.find("warpthreads") != std::string::npos ||
         plain.find("threadsperwarp") != std::string::npos;
}

bool is_size(const CudaConstant& c) {
  return std::has_single_bit(c.value) && c.value >= smallest_size && c.value <= largest_size &&
         !is_of_hardware(c.name);
}

// Empty where what is defined in front of the source has its way.
std::string needed_by(const CudaConstant& c, std::string_view code, const std::string& file) {
  if (!c.macro) return fmt::format("#ifndef {0}, #define {0} {1}, #endif instead of it", c.name, c.value);
  try {
    double value = c.value;
    tuning_space({{{c.name, {value}, file}}, {}, {}}, code, file);
    return "";
  } catch (const Error&) {  // it is defined whatever was defined before
    return fmt::format("#ifndef {} before it, #endif behind it", c.name);
  }
}

}  // namespace

std::vector<FoundConstant> found_in_cuda(std::string_view source, const std::string& file) {
  std::string code = without_comments(source, {.python = false});
  std::vector<CudaConstant> all;
  collect(all, code, define_form, true);
  collect(all, code, constant_form, false);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  std::map<std::string, std::size_t> definitions;
  for (const CudaConstant& c : all) ++definitions[lower(c.name)];
  std::vector<FoundConstant> found;
  for (const CudaConstant& c : all) {
    if (!is_size(c) || definitions[lower(c.name)] > 1) continue;
    std::string needs = needed_by(c, code, file);
    std::size_t own_uses = c.macro && needs.empty() ? 2 : 1;  // its definition, and its guard
    if (uses_of(code, c.name) <= own_uses) continue;
    double value = c.value;
    auto line = 1 + std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(c.at), '\n');
    std::string place = file + ":" + std::to_string(line) + ": " + (c.macro ? "#define" : "constant");
    found.push_back({{c.name, {value / 2, value, 2 * value}, place}, value, needs});
    if (found.size() == most_constants) break;
  }
  return found;
}

}  // namespace explog
