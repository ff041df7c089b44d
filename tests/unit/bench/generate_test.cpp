// Values of the distributions, and their rounding to the types of arguments.
#include "harness/generate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace explog;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Mean and variance of 400,000 values, and how many are zero.
struct Moments {
  double mean = 0, variance = 0, zeros = 0, lo = inf, hi = -inf;
};
Moments moments(Fill fill, double scale, std::uint64_t row = 1) {
  constexpr std::uint64_t n = 400000;
  Moments m;
  double sum = 0, squares = 0, origin = value_at(fill, 5, 0, row, scale, 8191);
  for (std::uint64_t i = 0; i < n; ++i) {
    double v = value_at(fill, 5, i, row, scale, 8191);
    sum += v - origin;
    squares += (v - origin) * (v - origin);
    m.zeros += v == 0 ? 1.0 / n : 0;
    m.lo = std::min(m.lo, v);
    m.hi = std::max(m.hi, v);
  }
  m.mean = origin + sum / n;
  m.variance = squares / n - (sum / n) * (sum / n);
  return m;
}

// A 16-bit format by its definition: all finite values from 0, in order of their bits.
struct Format {
  const char* name;
  int exponent_bits, mantissa_bits;
  std::uint16_t (*round)(double);
  double (*widened)(std::uint16_t);

  double value(std::uint32_t bits) const {
    int bias = (1 << (exponent_bits - 1)) - 1, e = static_cast<int>(bits >> mantissa_bits);
    double m = bits & ((1u << mantissa_bits) - 1);
    return e == 0 ? std::ldexp(m, 1 - bias - mantissa_bits)
                  : std::ldexp(m + (1 << mantissa_bits), e - bias - mantissa_bits);
  }
  std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << mantissa_bits; }

  // Nearest value by search; a tie goes to the even one. Infinity stands where the next value would be.
  std::uint32_t nearest(double v) const {
    std::uint32_t lo = 0, hi = infinity();
    while (hi - lo > 1) (value((lo + hi) / 2) <= v ? lo : hi) = (lo + hi) / 2;
    double below = v - value(lo), above = value(hi) - v;
    return below < above || (below == above && lo % 2 == 0) ? lo : hi;
  }
};
const Format formats[] = {{"half", 5, 10, to_half, half_value},
                          {"bfloat16", 8, 7, to_bfloat16, bfloat16_value}};

}  // namespace

TEST_CASE("distributions have the mean and variance they promise") {
  auto near = [](double value, double want, double by) { return std::abs(value - want) <= by; };
  Moments m = moments(Fill::normal, 3);
  CHECK(near(m.mean, 0, 0.03));
  CHECK(near(m.variance, 9, 0.1));
  m = moments(Fill::positive, 2);
  CHECK(near(m.mean, 2, 0.01));
  CHECK(near(m.variance, 4 / 12.0, 0.01));
  CHECK(m.lo >= 1);
  CHECK(m.hi < 3);
  m = moments(Fill::unit, 1);
  CHECK(near(m.mean, 0.5, 0.005));
  CHECK(near(m.variance, 1 / 12.0, 0.002));
  CHECK(m.lo >= 0);
  CHECK(m.hi < 1);
  m = moments(Fill::large, 1);
  CHECK(near(m.mean, 0, 3));
  CHECK(near(m.variance, 90000, 900));
  m = moments(Fill::offset, 1);
  CHECK(near(m.mean, 1000, 0.01));
  CHECK(near(m.variance, 1, 0.02));
  m = moments(Fill::sparse, 1);
  CHECK(near(m.mean, 0, 0.01));
  CHECK(near(m.variance, 0.1, 0.005));
  CHECK(near(m.zeros, 0.9, 0.005));
  m = moments(Fill::integers, 5);  // small whole numbers whatever the scale: sums stay exact
  CHECK(near(m.mean, 0, 0.01));
  CHECK(near(m.variance, 2, 0.02));
  CHECK(m.lo == -2);
  CHECK(m.hi == 2);
  m = moments(Fill::index, 1);
  CHECK(m.lo == 0);
  CHECK(m.hi == 8190);
  m = moments(Fill::equal, 2, 10);
  CHECK(near(m.mean, 0, 0.05));
  CHECK(near(m.variance, 4, 0.1));
}

TEST_CASE("mixed values spread evenly over 24 powers of two, with both signs") {
  double negative = 0, mean = 0, squares = 0;
  constexpr std::uint64_t n = 400000;
  for (std::uint64_t i = 0; i < n; ++i) {
    double v = value_at(Fill::mixed, 9, i, 1, 1, 8191), size = std::abs(v);
    REQUIRE(size >= 0x1p-12);
    REQUIRE(size < 0x1p12);
    negative += v < 0 ? 1.0 / n : 0;
    mean += std::log2(size) / n;
    squares += std::log2(size) * std::log2(size) / n;
  }
  CHECK(std::abs(negative - 0.5) < 0.005);
  CHECK(std::abs(mean - 0.06) < 0.1);
  CHECK(std::abs(squares - mean * mean - 48) < 0.5);
}

TEST_CASE("equal gives one value a row and another in the next") {
  for (std::uint64_t i = 0; i < 100; ++i)
    CHECK((value_at(Fill::equal, 3, i, 10, 1, 8191) == value_at(Fill::equal, 3, i - i % 10, 10, 1, 8191)));
  CHECK(value_at(Fill::equal, 3, 0, 10, 1, 8191) != value_at(Fill::equal, 3, 10, 10, 1, 8191));
}

TEST_CASE("small integer types hold every index that is generated for them") {
  FillOrder order;
  order.fill = Fill::index;
  order.bits = Bits::u8;
  std::vector<std::uint8_t> data(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) fill_at(data.data(), order, i);
  for (std::uint64_t i = 0; i < 1000; ++i) REQUIRE(data[i] == i % 251);
}

TEST_CASE("a run of elements is what each alone is") {
  for (int fill = 0; fill < fills; ++fill) {
    for (int bits = 0; bits < bit_formats; ++bits) {
      CAPTURE(fill);
      CAPTURE(bits);
      constexpr std::uint64_t count = 1500, begin = 3,
                              end = 1300;  // more than one piece, and parts of pieces
      FillOrder order{static_cast<Fill>(fill), static_cast<Bits>(bits), count, 7, 99, 1.5};
      std::vector<char> one_by_one(8 * count, '?'), at_once = one_by_one;
      for (std::uint64_t i = begin; i < end; ++i) fill_at(one_by_one.data(), order, i);
      fill_span(at_once.data(), order, begin, end);
      REQUIRE(one_by_one == at_once);
    }
  }
}

TEST_CASE("the value of every half and bfloat16") {
  for (const Format& f : formats) {
    CAPTURE(f.name);
    for (std::uint32_t bits = 0; bits < f.infinity(); ++bits) {
      REQUIRE(f.widened(static_cast<std::uint16_t>(bits)) == f.value(bits));
      REQUIRE(f.widened(static_cast<std::uint16_t>(bits | 0x8000)) == -f.value(bits));
    }
    CHECK(f.widened(static_cast<std::uint16_t>(f.infinity())) == inf);
    CHECK(f.widened(static_cast<std::uint16_t>(f.infinity() | 0x8000)) == -inf);
    CHECK(std::isnan(f.widened(static_cast<std::uint16_t>(f.infinity() + 1))));
    CHECK(std::signbit(f.widened(0x8000)));
  }
}

TEST_CASE("every 16-bit value is rounded to itself") {
  for (const Format& f : formats) {
    CAPTURE(f.name);
    for (std::uint32_t bits = 0; bits < f.infinity(); ++bits) {
      REQUIRE(f.round(f.value(bits)) == bits);
      REQUIRE(f.round(-f.value(bits)) == (bits | 0x8000));
    }
    CHECK(f.round(inf) == f.infinity());
    CHECK(f.round(-inf) == (f.infinity() | 0x8000));
    std::uint16_t nan = f.round(std::numeric_limits<double>::quiet_NaN());
    CHECK((nan & 0x7FFF) > f.infinity());
    CHECK((f.round(std::numeric_limits<double>::signaling_NaN()) & 0x7FFF) > f.infinity());
  }
}

TEST_CASE("between any two neighbours the middle goes to the even one, and what is beside it to the nearer") {
  for (const Format& f : formats) {
    CAPTURE(f.name);
    for (std::uint32_t bits = 0; bits < f.infinity(); ++bits) {  // the last middle is where infinity begins
      double middle = (f.value(bits) + f.value(bits + 1)) / 2;
      std::uint32_t even = bits + bits % 2;
      REQUIRE(f.round(middle) == even);
      REQUIRE(f.round(-middle) == (even | 0x8000));
      REQUIRE(f.round(std::nextafter(middle, 0)) == bits);
      REQUIRE(f.round(std::nextafter(middle, inf)) == bits + 1);
    }
  }
}

TEST_CASE("overflow is infinity, and what is too small for a subnormal is zero with its sign") {
  CHECK(to_half(65519.999) == 0x7BFF);
  CHECK(to_half(65520) == 0x7C00);
  CHECK(to_half(-1e308) == 0xFC00);
  CHECK(to_half(0x1p-25) == 0);
  CHECK(to_half(0x1.0000001p-25) == 1);
  CHECK(to_half(-0x1p-26) == 0x8000);
  CHECK(to_half(5e-324) == 0);
  CHECK(to_bfloat16(3.4e38) == 0x7F80);
  CHECK(to_bfloat16(0x1p-134) == 0);
  CHECK(to_bfloat16(-5e-324) == 0x8000);
}

TEST_CASE("random doubles of every size are rounded as a search over all values does") {
  std::mt19937_64 random(1);
  for (const Format& f : formats) {
    CAPTURE(f.name);
    for (int i = 0; i < 300000; ++i) {
      // Exponents from far below the subnormals to beyond infinity.
      int range = (1 << (f.exponent_bits - 1)) + 20;
      double mantissa = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
      double v =
          std::ldexp(mantissa, static_cast<int>(random() % (2 * static_cast<unsigned>(range))) - range);
      CAPTURE(v);
      REQUIRE(f.round(v) == f.nearest(v));
      REQUIRE(f.round(-v) == (f.nearest(v) | 0x8000));
    }
  }
}

TEST_CASE("bfloat16 of a float is its upper half, rounded to even") {
  std::mt19937 random(2);
  for (int i = 0; i < 300000; ++i) {
    auto bits = static_cast<std::uint32_t>(random());
    float v = std::bit_cast<float>(bits);
    if (std::isnan(v)) continue;
    REQUIRE(to_bfloat16(v) == static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16));
  }
}
