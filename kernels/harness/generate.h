// Inputs as a pure function of (seed, index): the same bits on host and device, so that the supervisor can
// make again what the GPU was given. Only integer operations, one multiplication and one rounding a value:
// nothing a compiler could fuse.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __CUDACC__
#define EXPLOG_BOTH __host__ __device__
#define EXPLOG_FOLDED __host__ __device__ __forceinline__
#else
#define EXPLOG_BOTH
#define EXPLOG_FOLDED inline __attribute__((always_inline))
#endif

namespace explog {

enum class Fill : int { normal, positive, mixed, large, offset, sparse, integers, index, unit, equal };
enum class Bits : int { f32, f64, f16, bf16, i32, i64, u8 };
constexpr int fills = 10, bit_formats = 7;

// splitmix64 (Steele, Lea, Flood 2014) of the index-th state.
EXPLOG_BOTH inline std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// Sum of four 16-bit uniforms less its mean: near normal, within +-3.46 standard deviations of 37836.8
// (Irwin-Hall).
EXPLOG_BOTH inline std::int64_t bell(std::uint64_t h) {
  return static_cast<std::int64_t>((h & 0xFFFF) + ((h >> 16) & 0xFFFF) + ((h >> 32) & 0xFFFF) + (h >> 48)) -
         131070;
}
constexpr double bell_unit = 1.0 / 37836.8;  // brings bell() to variance 1

// One value of a distribution. `row` is the length of the last dimension, `scale` the argument's own factor.
EXPLOG_FOLDED double value_at(Fill fill, std::uint64_t seed, std::uint64_t i, std::uint64_t row, double scale,
                              std::uint64_t prime) {
  std::uint64_t h = mix(seed, i);
  switch (fill) {
    case Fill::normal:
      return static_cast<double>(bell(h)) * (bell_unit * scale);
    case Fill::positive:
      return static_cast<double>((h >> 32) + 0x80000000ull) * (0x1p-32 * scale);
    case Fill::unit:
      return static_cast<double>(h >> 32) * (0x1p-32 * scale);
    case Fill::large:
      return static_cast<double>(bell(h)) * (bell_unit * 300.0);
    case Fill::offset:
      return static_cast<double>(bell(h) + 37836800) * bell_unit;
    case Fill::sparse:
      return h % 10 != 0 ? 0.0 : static_cast<double>(bell(mix(h, 0))) * (bell_unit * scale);
    case Fill::integers:
      return static_cast<double>(h % 5) - 2.0;
    case Fill::index:
      return static_cast<double>(i % prime);
    case Fill::equal:
      return static_cast<double>(bell(mix(seed, i / row))) * (bell_unit * scale);
    case Fill::mixed: {  // sign * mantissa in [1, 2) * 2^-12..11, put together bit by bit
      std::uint64_t exponent = 1023 - 12 + (h >> 52) % 24;
      std::uint64_t bits = (h & 0x000FFFFFFFFFFFFFull) | exponent << 52 | (mix(h, 1) & 1) << 63;
      double v;
      memcpy(&v, &bits, sizeof v);
      return v * scale;
    }
  }
  return 0;
}

// Rounds to nearest even at `drop` bits below; used for the 16-bit formats. Without a branch: no processor foresees it.
EXPLOG_BOTH inline std::uint32_t round_bits(std::uint64_t v, int drop) {
  std::uint64_t below_half = (1ull << (drop - 1)) - 1, odd = v >> drop & 1;
  return static_cast<std::uint32_t>((v + below_half + odd) >> drop);
}

// A double as IEEE half or bfloat16, rounded once to nearest even; overflow becomes infinity.
EXPLOG_BOTH inline std::uint16_t narrow(double v, int exponent_bits, int mantissa_bits) {
  std::uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) << 15;
  int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFFull;
  int bias = (1 << (exponent_bits - 1)) - 1;
  std::uint32_t top = ((1u << exponent_bits) - 1) << mantissa_bits;
  if (exponent == 1024)
    return static_cast<std::uint16_t>(sign | top | (mantissa != 0 ? 1u << (mantissa_bits - 1) : 0));
  int drop = 52 - mantissa_bits;
  if (exponent + bias <= 0) {  // subnormal or zero
    int shift = drop + 1 - (exponent + bias);
    if (shift > 60) return static_cast<std::uint16_t>(sign);
    return static_cast<std::uint16_t>(sign | round_bits(mantissa | 1ull << 52, shift));
  }
  std::uint32_t rounded = round_bits(mantissa | static_cast<std::uint64_t>(exponent + bias) << 52, drop);
  return static_cast<std::uint16_t>(sign | (rounded > top ? top : rounded));
}
EXPLOG_BOTH inline std::uint16_t to_half(double v) { return narrow(v, 5, 10); }
EXPLOG_BOTH inline std::uint16_t to_bfloat16(double v) { return narrow(v, 8, 7); }

// The value of an IEEE half or bfloat16.
EXPLOG_BOTH inline double half_value(std::uint16_t half) {
  std::uint64_t exponent = half >> 10 & 31, mantissa = half & 1023,
                sign = static_cast<std::uint64_t>(half >> 15) << 63;
  if (exponent == 0) return static_cast<double>(mantissa) * (sign != 0 ? -0x1p-24 : 0x1p-24);
  std::uint64_t bits = sign | (exponent == 31 ? 0x7FFull : exponent + 1023 - 15) << 52 | mantissa << 42;
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
EXPLOG_BOTH inline double bfloat16_value(std::uint16_t half) {
  std::uint32_t bits = static_cast<std::uint32_t>(half) << 16;
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

// Writes element i of an argument.
EXPLOG_FOLDED void store_at(void* data, Bits bits, std::uint64_t i, double v) {
  switch (bits) {
    case Bits::f32:
      static_cast<float*>(data)[i] = static_cast<float>(v);
      return;
    case Bits::f64:
      static_cast<double*>(data)[i] = v;
      return;
    case Bits::f16:
      static_cast<std::uint16_t*>(data)[i] = to_half(v);
      return;
    case Bits::bf16:
      static_cast<std::uint16_t*>(data)[i] = to_bfloat16(v);
      return;
    case Bits::i32:
      static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(v);
      return;
    case Bits::i64:
      static_cast<std::int64_t*>(data)[i] = static_cast<std::int64_t>(v);
      return;
    case Bits::u8:
      static_cast<std::uint8_t*>(data)[i] = static_cast<std::uint8_t>(static_cast<std::int64_t>(v));
      return;
  }
}

// What to fill an argument with.
struct FillOrder {
  Fill fill = Fill::normal;
  Bits bits = Bits::f32;
  std::uint64_t count = 0, row = 1, seed = 0;
  double scale = 1;
};
EXPLOG_BOTH inline std::uint64_t largest_index(Bits bits) {
  return bits == Bits::f16 || bits == Bits::bf16 || bits == Bits::u8 ? 251 : 8191;
}
EXPLOG_BOTH inline void fill_at(void* data, const FillOrder& o, std::uint64_t i) {
  store_at(data, o.bits, i, value_at(o.fill, o.seed, i, o.row, o.scale, largest_index(o.bits)));
}

// Calls `use` with the value as a type of its own, so that what depends on it is decided once.
template <class Enum, int... Values, class Use>
void with_constant(Enum value, std::integer_sequence<int, Values...> /*of the enumeration*/, const Use& use) {
  ((static_cast<int>(value) == Values ? use(std::integral_constant<Enum, static_cast<Enum>(Values)>())
                                      : void()),
   ...);
}

// Elements [begin, end) on the host, as fill_at makes each.
inline void fill_span(void* data, const FillOrder& o, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t at_once = 512;
  double values[at_once];
  const std::uint64_t prime = largest_index(o.bits);
  for (std::uint64_t at = begin; at < end; at += at_once) {
    const std::uint64_t n = std::min(at_once, end - at);
    with_constant(o.fill, std::make_integer_sequence<int, fills>(), [&](auto fill) {
      for (std::uint64_t i = 0; i < n; ++i) values[i] = value_at(fill, o.seed, at + i, o.row, o.scale, prime);
    });
    with_constant(o.bits, std::make_integer_sequence<int, bit_formats>(), [&](auto bits) {
      for (std::uint64_t i = 0; i < n; ++i) store_at(data, bits, at + i, values[i]);
    });
  }
}

// Poison: pattern 0 is 0xFF everywhere (NaN in every float format, -1 in integers); any other seed gives
// bytes below 0x80 that differ from it everywhere and are finite.
EXPLOG_BOTH inline std::uint64_t poison_word(std::uint64_t seed, std::uint64_t word) {
  return seed == 0 ? ~0ull : mix(seed, word) & 0x7F7F7F7F7F7F7F7Full;
}

}  // namespace explog
