// The bytes that keys and pages of cells are made of.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace explog::store {

// -- texts: they end with 0; their own bytes 0 and 1 are written as 1 1 and 1 2

constexpr char escape_byte = '\x01';

inline void put_text(std::string& bytes, std::string_view text) {
  if (text.find('\0') == std::string_view::npos && text.find(escape_byte) == std::string_view::npos) {
    bytes += text;
  } else {
    for (char c : text) {
      if (c == '\0' || c == escape_byte) bytes += escape_byte, c = static_cast<char>(c + 1);
      bytes += c;
    }
  }
  bytes += '\0';
}

// The bytes of the text that `rest` begins with, as they are written; `rest` goes on behind it.
inline std::optional<std::string_view> take_bytes(std::string_view& rest) {
  std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view bytes = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return bytes;
}

inline bool is_plain(std::string_view bytes) { return bytes.find(escape_byte) == std::string_view::npos; }

inline std::string unescaped(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bool escaped = bytes[i] == escape_byte && i + 1 < bytes.size();
    text += escaped ? static_cast<char>(bytes[++i] - 1) : bytes[i];
  }
  return text;
}

// -- numbers of a key: big-endian and without a sign, so that bytes compare as numbers do

template <int Bytes>
void put_number(std::string& bytes, std::int64_t value) {
  constexpr std::int64_t half = std::int64_t{1} << (8 * Bytes - 1);
  auto biased = static_cast<std::uint64_t>(std::clamp(value, -half, half - 1) + half);
  for (int i = Bytes - 1; i >= 0; --i) bytes += static_cast<char>(biased >> (8 * i));
}

template <int Bytes>
bool take_number(std::string_view& rest, std::int64_t& value) {
  if (rest.size() < Bytes) return false;
  std::uint64_t biased = 0;
  for (int i = 0; i < Bytes; ++i) biased = biased << 8 | static_cast<unsigned char>(rest[i]);
  value = static_cast<std::int64_t>(biased) - (std::int64_t{1} << (8 * Bytes - 1));
  rest.remove_prefix(Bytes);
  return true;
}

// -- numbers of a page: seven bits a byte; with a sign it is in the lowest bit

constexpr std::size_t longest_number = 10;  // bytes

// Writes to where `at` points, which goes on behind it.
inline void put_unsigned(char*& at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
}

inline void put_signed(char*& at, std::int64_t value) {
  put_unsigned(at, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

// The number that starts at `at` and what follows it; nullptr where its bytes come to no end before `end`, and where
// `at` is nullptr.
inline const char* take_unsigned(const char* at, const char* end, std::uint64_t& value) {
  if (at == nullptr || at == end) return nullptr;
  auto byte = static_cast<unsigned char>(*at++);
  value = byte & 0x7Fu;
  for (int shift = 7; byte >= 0x80; shift += 7) {
    if (at == end || shift >= 70) return nullptr;
    byte = static_cast<unsigned char>(*at++);
    value |= std::uint64_t{byte & 0x7Fu} << (shift & 63);
  }
  return at;
}

inline const char* take_signed(const char* at, const char* end, std::int64_t& value) {
  std::uint64_t bits = 0;
  at = take_unsigned(at, end, bits);
  value = static_cast<std::int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
  return at;
}

}  // namespace explog::store
