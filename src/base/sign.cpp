#include "base/sign.h"

#include "base/sodium.h"

namespace explog {
namespace {

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// libsodium's secret key is the seed and the public key behind it.
using SecretKey = std::array<unsigned char, crypto_sign_SECRETKEYBYTES>;

SecretKey secret_key(const KeySeed& seed, PublicKey& key) {
  need_sodium();
  SecretKey secret{};
  crypto_sign_seed_keypair(key.data(), secret.data(), seed.data());
  return secret;
}

}  // namespace

Digest blake2b_256(std::string_view data) {
  need_sodium();
  Digest digest{};
  crypto_generichash(digest.data(), digest.size(), bytes(data), data.size(), nullptr, 0);
  return digest;
}

KeySeed random_seed() {
  need_sodium();
  KeySeed seed{};
  randombytes_buf(seed.data(), seed.size());
  return seed;
}

PublicKey public_key_of(const KeySeed& seed) {
  PublicKey key{};
  SecretKey secret = secret_key(seed, key);
  sodium_memzero(secret.data(), secret.size());
  return key;
}

Signature sign(std::string_view message, const KeySeed& seed) {
  PublicKey key{};
  SecretKey secret = secret_key(seed, key);
  Signature signature{};
  crypto_sign_detached(signature.data(), nullptr, bytes(message), message.size(), secret.data());
  sodium_memzero(secret.data(), secret.size());
  return signature;
}

bool signature_holds(std::string_view message, const Signature& signature, const PublicKey& key) {
  need_sodium();
  return crypto_sign_verify_detached(signature.data(), bytes(message), message.size(), key.data()) == 0;
}

}  // namespace explog
