#include "intake/dims.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "intake/common.h"

namespace explog::intake {
namespace {

bool add(Dims& dims, std::string_view name, std::string_view value) {
  if (lower(name) == "dtype" && dims.dtype.empty()) {
    dims.dtype = std::string(value);
    return true;
  }
  auto number = parse_number(value);
  return number && *number >= 0 && add_named(dims.shape, name, *number);
}

// "M=4096, N=512" or "M:4096 N:512".
std::optional<Dims> read_named(std::string text) {
  for (char& c : text) {
    if (c == ',' || c == ';' || c == '\t' || c == '\n') c = ' ';
    if (c == ':') c = '=';
  }
  text = replace_all(replace_all(std::move(text), " =", "="), "= ", "=");
  Dims dims;
  for (std::string_view entry : split(text, ' ')) {
    if (entry.empty()) continue;
    size_t at = entry.find('=');
    if (at == std::string_view::npos || !add(dims, entry.substr(0, at), entry.substr(at + 1)))
      return std::nullopt;
  }
  return dims;
}

// "4096x512": the sizes have no names, so d0, d1, ... stand for them; one size alone is N.
std::optional<Dims> read_plain(std::string text) {
  text = replace_all(std::move(text), "\xC3\x97", "x");
  for (char& c : text) {
    if (c == 'X' || c == '*' || c == ',') c = 'x';
    if (c == '(' || c == ')' || c == '[' || c == ']') c = ' ';
  }
  Dims dims;
  auto sizes = split(text, 'x');
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::string name = sizes.size() == 1 ? "N" : "d" + std::to_string(i);
    if (!add(dims, name, trim(sizes[i]))) return std::nullopt;
  }
  return dims;
}

std::optional<Dims> read_object(const Json& object) {
  Dims dims;
  for (const auto& [name, value] : object.items()) {
    auto number = number_of(value);
    std::string text = number ? number_text(*number) : text_of(value);
    if (!add(dims, name, text)) return std::nullopt;
  }
  return dims;
}

std::optional<Dims> read_list(const Json& list) {
  Dims dims;
  for (size_t i = 0; i < list.size(); ++i) {
    auto number = number_of(list[i]);
    if (!number || !add(dims, "d" + std::to_string(i), number_text(*number))) return std::nullopt;
  }
  return dims;
}

}  // namespace

std::optional<Dims> read_dims(const Json& value) {
  if (value.is_null()) return Dims{};
  if (value.is_object()) return read_object(value);
  if (value.is_array()) return read_list(value);
  if (value.is_number()) return read_plain(number_text(value.get<double>()));
  if (!value.is_string()) return std::nullopt;
  std::string text(trim(value.get_ref<const std::string&>()));
  if (text.empty() || text == "-" || text == "unknown" || text == "\xE2\x80\x94") return Dims{};
  if (text.size() > 1024) return std::nullopt;
  bool named = text.find_first_of("=:") != std::string::npos;
  return named ? read_named(text) : read_plain(text);
}

}  // namespace explog::intake
