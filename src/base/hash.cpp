#include "base/hash.h"

#include <algorithm>
#include <cstring>

#include "base/sodium.h"

namespace explog {
namespace {

void stamp(Uuid& id, unsigned version) {
  id.bytes[6] = static_cast<unsigned char>((id.bytes[6] & 0x0F) | (version << 4));
  id.bytes[8] = static_cast<unsigned char>((id.bytes[8] & 0x3F) | 0x80);
}

}  // namespace

Bytes16 blake2b_128(std::string_view data) {
  need_sodium();
  Bytes16 digest{};
  crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(data.data()),
                     data.size(), nullptr, 0);
  return digest;
}

std::string sha256_base64(std::string_view data) {
  need_sodium();
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(data.data()), data.size());
  std::string text(sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), digest.data(), digest.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the zero behind it
  return text;
}

Bytes16 random_bytes16() {
  need_sodium();
  Bytes16 bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

std::string hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::optional<std::string> from_hex(std::string_view text) {
  static constexpr std::string_view digits = "0123456789abcdef";
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    std::size_t high = digits.find(text[i]), low = digits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
  }
  return out;
}

std::string Uuid::text() const {
  std::string digits = hex(bytes);
  for (size_t at : {20, 16, 12, 8}) digits.insert(at, 1, '-');
  return digits;
}

std::optional<Uuid> parse_uuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid id;
  size_t nibble = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    static constexpr std::string_view digits = "0123456789abcdef";
    size_t value = digits.find(static_cast<char>(text[i] | 0x20));
    if (value == std::string_view::npos) return std::nullopt;
    auto& byte = id.bytes[nibble / 2];
    byte = static_cast<unsigned char>(nibble % 2 == 0 ? value << 4 : byte | value);
    ++nibble;
  }
  return id;
}

Uuid uuid_v8(std::string_view payload) {
  Uuid id{blake2b_128(payload)};
  stamp(id, 8);
  return id;
}

Bytes16 UuidMaker::random() {
  if (left_ < 16) {
    need_sodium();
    randombytes_buf(pool_.data(), pool_.size());
    left_ = pool_.size();
  }
  Bytes16 bytes{};
  left_ -= 16;
  std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(left_), 16, bytes.begin());
  return bytes;
}

Uuid UuidMaker::next(std::int64_t unix_ms) {
  Uuid id{random()};
  if (unix_ms > last_ms_) {
    last_ms_ = unix_ms;
    counter_ = id.bytes[7] & 0x7Fu;  // a random start leaves room to count up within the millisecond
  } else if (++counter_ > 0xFFF) {
    ++last_ms_;
    counter_ = 0;
  }
  for (int i = 0; i < 6; ++i)
    id.bytes[static_cast<size_t>(i)] = static_cast<unsigned char>(last_ms_ >> (40 - 8 * i));
  id.bytes[6] = static_cast<unsigned char>(counter_ >> 8);
  id.bytes[7] = static_cast<unsigned char>(counter_);
  stamp(id, 7);
  return id;
}

}  // namespace explog
