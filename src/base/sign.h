// BLAKE2b with 32 bytes, and Ed25519 signatures, through libsodium.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace explog {

using Digest = std::array<unsigned char, 32>;
using PublicKey = std::array<unsigned char, 32>;
using Signature = std::array<unsigned char, 64>;
using KeySeed = std::array<unsigned char, 32>;  // the secret a key pair is made from

Digest blake2b_256(std::string_view data);

KeySeed random_seed();
PublicKey public_key_of(const KeySeed& seed);
Signature sign(std::string_view message, const KeySeed& seed);
bool signature_holds(std::string_view message, const Signature& signature, const PublicKey& key);

// Bytes of an array as text holds them, and back; nothing when the size is another.
template <size_t N>
std::string bytes_of(const std::array<unsigned char, N>& value) {
  return {reinterpret_cast<const char*>(value.data()), N};
}
template <size_t N>
std::optional<std::array<unsigned char, N>> array_of(std::string_view bytes) {
  if (bytes.size() != N) return std::nullopt;
  std::array<unsigned char, N> value{};
  for (size_t i = 0; i < N; ++i) value[i] = static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace explog
