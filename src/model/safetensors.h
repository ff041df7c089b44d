// The header of a safetensors file: 8 bytes of its length (little-endian), that many bytes of JSON, then raw data.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

struct Tensor {
  std::string name, dtype;           // as the file says the type: F32, BF16, I64, BOOL, F8_E4M3
  std::vector<std::uint64_t> shape;  // outermost first; empty for a scalar
  std::uint64_t begin = 0, end = 0;  // bytes of the file
};

constexpr std::uint64_t tensor_length_bytes = 8;
constexpr std::uint64_t longest_tensor_header = 16 << 20;

// What the first 8 bytes say of the header's length. Throws JsonError where `file_bytes` cannot hold it.
std::uint64_t tensor_header_bytes(std::string_view first_bytes, std::uint64_t file_bytes);
// The tensors of a header, by name. Every range lies within the file and has the bytes that shape and type need.
// Throws JsonError in one line.
std::vector<Tensor> read_tensors(std::string_view header, std::uint64_t file_bytes);

std::string shape_text(const std::vector<std::uint64_t>& shape);  // "[4, 64]"

}  // namespace explog
