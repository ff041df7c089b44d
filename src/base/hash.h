// Content hashes and identifiers.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace explog {

using Bytes16 = std::array<unsigned char, 16>;

// BLAKE2b (RFC 7693) with a 16-byte digest, through libsodium.
Bytes16 blake2b_128(std::string_view data);
Bytes16 random_bytes16();
// SHA-256 in base64, as a Content-Security-Policy names a script.
std::string sha256_base64(std::string_view data);

std::string hex(std::string_view bytes);  // lower-case digits
template <std::size_t N>
std::string hex(const std::array<unsigned char, N>& bytes) {
  return hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), N));
}
std::optional<std::string> from_hex(std::string_view digits);  // nothing for what is not lower-case hex

// A UUID of RFC 9562.
struct Uuid {
  Bytes16 bytes{};
  std::string text() const;  // 8-4-4-4-12 lower-case hex digits
  int version() const { return bytes[6] >> 4; }
  bool operator==(const Uuid&) const = default;
  auto operator<=>(const Uuid&) const = default;
};

std::optional<Uuid> parse_uuid(std::string_view text);
// Content id: UUIDv8 whose 122 free bits are BLAKE2b-128 of `payload`; the same content has the same id
// everywhere.
Uuid uuid_v8(std::string_view payload);

// Makes UUIDv7 ids (milliseconds, then random) that never go back within one maker, also when the clock does:
// the last time is kept and the 12 bits behind it count up.
class UuidMaker {
 public:
  Uuid next(std::int64_t unix_ms);

 private:
  Bytes16 random();
  std::int64_t last_ms_ = 0;
  unsigned counter_ = 0;
  std::array<unsigned char, 4096> pool_{};  // random bytes, fetched from the system a page at a time
  size_t left_ = 0;
};

}  // namespace explog
