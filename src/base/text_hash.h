// A hash of texts, sixteen bytes a step: states of kernels are long, and there are as many as cells.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace explog {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    std::uint64_t hash = text.size();
    for (; text.size() >= 16; text.remove_prefix(16))
      hash = mixed(word(text.data()) ^ odd, word(text.data() + 8) ^ hash);
    char rest[16] = {};
    if (!text.empty()) std::memcpy(rest, text.data(), text.size());  // of nothing there may be no address
    return mixed(word(rest) ^ odd, word(rest + 8) ^ hash);
  }

 private:
  static constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  static std::uint64_t word(const char* bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  // Both halves of the product, so that each bit of either reaches low bits.
  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
};

}  // namespace explog
