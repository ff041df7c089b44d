// SHA-256 (FIPS 180-4): the name of an image in a plan. Needs no library, because users' compilers build it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace explog {

class Sha256 {
 public:
  static std::string hex_of(std::string_view bytes) {
    Sha256 hash;
    std::size_t whole = bytes.size() / 64 * 64;
    for (std::size_t at = 0; at < whole; at += 64) hash.block(bytes.data() + at);
    hash.finish(bytes.substr(whole), bytes.size());
    return hash.text();
  }

 private:
  static std::uint32_t turn(std::uint32_t v, int by) { return v >> by | v << (32 - by); }

  // The last bytes, a one bit, zeros and the length in bits.
  void finish(std::string_view rest, std::uint64_t length) {
    std::string tail(rest);
    tail += '\x80';
    while (tail.size() % 64 != 56) tail += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(length * 8 >> shift);
    for (std::size_t at = 0; at < tail.size(); at += 64) block(tail.data() + at);
  }

  void block(const char* bytes) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(bytes[i]);
    for (std::size_t i = 16; i < 64; ++i) {
      std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] =
          w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    auto s = state_;
    for (std::size_t i = 0; i < 64; ++i) round(s, constants[i] + w[i]);
    for (std::size_t i = 0; i < 8; ++i) state_[i] += s[i];
  }

  static void round(std::array<std::uint32_t, 8>& s, std::uint32_t word) {
    std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    std::uint32_t most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    std::uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choice + word;
    std::uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + most;
    s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
  }

  std::string text() const {
    std::string out;
    for (std::uint32_t word : state_) {
      for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
    }
    return out;
  }

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  static constexpr std::array<std::uint32_t, 64> constants = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
};

}  // namespace explog
