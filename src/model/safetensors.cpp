#include "model/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text.h"
#include "model/json.h"

namespace explog {
namespace {

constexpr std::size_t most_tensors = 65536, most_axes = 16;

// Bytes of an element; types of less than a byte and those that nobody named yet have none.
std::optional<std::uint64_t> element_bytes(std::string_view dtype) {
  static constexpr std::pair<std::string_view, std::uint64_t> types[] = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"F8_E8M0", 1},
      {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},     {"U32", 4},
      {"F32", 4},  {"F64", 8}, {"I64", 8}, {"U64", 8},     {"C64", 8}};
  auto at = std::find_if(std::begin(types), std::end(types), [&](const auto& t) { return t.first == dtype; });
  return at != std::end(types) ? std::optional(at->second) : std::nullopt;
}

std::uint64_t whole(const Json& value, const std::string& where) {
  if (!value.is_number_unsigned()) bad(where + " must be a whole number from 0");
  return value.get<std::uint64_t>();
}

const Json& member(const Json& object, const char* key, const std::string& where) {
  auto it = object.find(key);
  if (it == object.end()) bad(where + ": \"" + key + "\" is missing");
  return *it;
}

std::uint64_t count_of(const Tensor& t, const std::string& where) {
  std::uint64_t count = 1;
  for (std::uint64_t extent : t.shape) {
    if (extent != 0 && count > (std::uint64_t{1} << 48) / extent) bad(where + ": more than 2^48 elements");
    count *= extent;
  }
  return count;
}

Tensor tensor_of(const std::string& name, const Json& said, std::uint64_t data_begin,
                 std::uint64_t file_bytes) {
  std::string where = "tensor '" + printable(name) + "'";
  if (!said.is_object()) bad(where + " must be an object");
  const Json& dtype = member(said, "dtype", where);
  if (!dtype.is_string()) bad(where + ": \"dtype\" must be text");
  Tensor t{name, dtype.get<std::string>(), {}, 0, 0};
  const Json& shape = member(said, "shape", where);
  if (!shape.is_array() || shape.size() > most_axes)
    bad(where + ": \"shape\" must be a list of at most " + std::to_string(most_axes) + " sizes");
  for (const Json& extent : shape) t.shape.push_back(whole(extent, where + ": each size of \"shape\""));
  const Json& range = member(said, "data_offsets", where);
  if (!range.is_array() || range.size() != 2) bad(where + ": \"data_offsets\" must be two numbers");
  std::uint64_t begin = whole(range[0], where + ": \"data_offsets\""),
                end = whole(range[1], where + ": \"data_offsets\"");
  std::uint64_t data_bytes = file_bytes - data_begin;
  if (begin > end || end > data_bytes)
    bad(where + ": its data lie at " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
        std::to_string(data_bytes) + " bytes");
  auto each = element_bytes(t.dtype);
  std::uint64_t count = count_of(t, where);
  if (each && count * *each != end - begin)
    bad(where + ": " + std::to_string(end - begin) + " bytes of data for " + shape_text(t.shape) + " of " +
        t.dtype);
  t.begin = data_begin + begin, t.end = data_begin + end;
  return t;
}

}  // namespace

std::uint64_t tensor_header_bytes(std::string_view first_bytes, std::uint64_t file_bytes) {
  if (first_bytes.size() < tensor_length_bytes || file_bytes < tensor_length_bytes)
    bad("no safetensors file: it is shorter than 8 bytes");
  std::uint64_t length = 0;
  for (std::size_t i = tensor_length_bytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(first_bytes[i]);
  if (length > file_bytes - tensor_length_bytes || length > longest_tensor_header)
    bad("no safetensors file: its header would have " + std::to_string(length) + " bytes");
  return length;
}

std::vector<Tensor> read_tensors(std::string_view header, std::uint64_t file_bytes) {
  std::uint64_t data_begin = tensor_length_bytes + header.size();
  if (data_begin > file_bytes) bad("no safetensors file: it ends within its header");
  Json said = parse_json(header, most_tensors);
  if (!said.is_object()) bad("no safetensors file: its header is no object");
  std::vector<Tensor> tensors;
  for (const auto& [name, tensor] : said.items()) {
    if (name != "__metadata__") tensors.push_back(tensor_of(name, tensor, data_begin, file_bytes));
  }
  std::sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
  return tensors;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::vector<std::string> sizes;
  for (std::uint64_t extent : shape) sizes.push_back(std::to_string(extent));
  return "[" + join(sizes, ", ") + "]";
}

}  // namespace explog
