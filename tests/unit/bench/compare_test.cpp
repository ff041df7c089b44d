#include "bench/judge/compare.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

using namespace explog;
using namespace explog::bench;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

// An output with what was computed, as bytes, and what is expected.
class Output {
 public:
  Output(Dtype dtype, std::uint64_t count, std::uint64_t row = 1)
      : bytes(count * dtype_bytes(dtype)), want(count), size(count) {
    argument_->name = "y";
    argument_->dtype = dtype;
    argument_->role = Role::out;
    operand.argument = argument_.get();
    operand.count = count;
    operand.row = row;
  }

  // Element i as computed: `v` rounded to the type.
  void got(std::uint64_t i, double v) {
    store_at(bytes.data(), static_cast<Bits>(operand.argument->dtype), i, v);
  }
  void expect(std::uint64_t i, double v) { want[i] = v; }
  void expect_integer(std::uint64_t i, std::int64_t v) { std::memcpy(&want[i], &v, 8); }
  template <class T>
  void raw(std::uint64_t i, T v) {
    std::memcpy(bytes.data() + i * sizeof v, &v, sizeof v);
  }

  Comparison compare_with(const Tolerance& t, const Output* before = nullptr) const {
    const char* old = before ? before->bytes.data() : nullptr;
    return compare(operand, bytes.data(), {want.data(), size.data()}, t, old);
  }

  Operand operand;
  std::vector<char> bytes;
  std::vector<double> want, size;  // values and magnitudes

 private:
  std::unique_ptr<Argument> argument_ = std::make_unique<Argument>();
};

Tolerance exactly() {
  Tolerance t;
  t.exact = true;
  return t;
}

Tolerance tolerance(double u_out, double u_acc, double reduction) {
  Tolerance t;
  t.u_out = u_out;
  t.u_acc = u_acc;
  t.reduction = reduction;
  t.tiny = 0x1p-126;
  return t;
}

// How many of one element are bad.
std::uint64_t bad(Dtype dtype, double got, double want, const Tolerance& t) {
  Output o(dtype, 1);
  o.got(0, got);
  o.expect(0, want);
  return o.compare_with(t).bad;
}

// The memory of one argument as a runner saves it, poisoned all over.
std::vector<char> poisoned_slot(const Operand& o, std::uint64_t seed) {
  std::vector<char> slot(slot_bytes(o));
  for (std::size_t word = 0; word * 8 < slot.size(); ++word) {
    std::uint64_t poison = poison_word(seed, word);
    std::memcpy(slot.data() + word * 8, &poison, 8);
  }
  return slot;
}

Case case_of(const Task& task, const std::string& distribution, double reduction) {
  Case c;
  c.task = &task;
  c.distribution = distribution;
  c.reduction = reduction;
  return c;
}

}  // namespace

TEST_CASE(
    "every element is compared, and a single wrong one is found wherever it is, for every count to 2000") {
  for (std::uint64_t n = 1; n <= 2000; ++n) {
    std::uint64_t divisor = 2;
    while (n % divisor != 0 && divisor < n) ++divisor;
    for (std::uint64_t row : {std::uint64_t{1}, n == 1 ? 1 : divisor, n}) {
      Output o(Dtype::f32, n, row);
      for (std::uint64_t i = 0; i < n; ++i) o.got(i, 1), o.expect(i, 1);
      Comparison right = o.compare_with(exactly());
      REQUIRE(right.compared == n);
      REQUIRE(right.bad == 0);
      for (std::uint64_t at : {std::uint64_t{0}, n / 2, n - 1}) {
        o.got(at, 2);
        Comparison c = o.compare_with(exactly());
        o.got(at, 1);
        REQUIRE(c.bad == 1);
        REQUIRE(c.first[0].index == at);
      }
    }
  }
}

TEST_CASE("every element is compared when the work is split over processors") {
  for (auto [rows, row] : {std::pair<std::uint64_t, std::uint64_t>{200003, 1},
                           {2, 99991},
                           {777, 257},
                           {1, 300007},
                           {66000, 3}}) {
    const std::uint64_t height = rows;
    CAPTURE(height);
    std::uint64_t n = rows * row;
    Output o(Dtype::f32, n, row);
    for (std::uint64_t i = 0; i < n; ++i) o.got(i, 3), o.expect(i, 3);
    CHECK(o.compare_with(exactly()).compared == n);
    CHECK(o.compare_with(exactly()).bad == 0);
    for (std::uint64_t at : {std::uint64_t{0}, n / 3, n / 2 - 1, n / 2, n - 2, n - 1}) {
      o.got(at, 4);
      Comparison c = o.compare_with(exactly());
      o.got(at, 3);
      REQUIRE(c.bad == 1);
      CHECK(c.first[0].index == at);
      CHECK(c.first[0].got == 4);
      CHECK(c.first[0].want == 3);
    }
  }
}

TEST_CASE("of many bad elements all are counted and the first five shown in order") {
  Output o(Dtype::f32, 200000);
  for (std::uint64_t i = 0; i < 200000; ++i) o.got(i, 1), o.expect(i, 2);
  Comparison c = o.compare_with(exactly());
  CHECK(c.bad == 200000);
  REQUIRE(c.first.size() == 5);
  for (std::uint64_t i = 0; i < 5; ++i) CHECK(c.first[i].index == i);
}

TEST_CASE("a NaN is right only where NaN is expected, and is counted where it is not") {
  for (Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16}) {
    CAPTURE(dtype_name(dtype));
    Output o(dtype, 4);
    for (std::uint64_t i = 0; i < 4; ++i)
      o.got(i, i < 2 ? not_a_number : 1), o.expect(i, i % 2 == 0 ? not_a_number : 1);
    for (const Tolerance& t : {exactly(), tolerance(0x1p-8, 0x1p-8, 1e9)}) {
      Comparison c = o.compare_with(t);
      CHECK(c.bad == 2);  // got NaN for 1, got 1 for NaN
      CHECK(c.nan == 1);
    }
  }
}

TEST_CASE("an infinity is right only where the same infinity is expected") {
  for (Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16}) {
    CAPTURE(dtype_name(dtype));
    for (const Tolerance& t : {exactly(), tolerance(0x1p-8, 0x1p-8, 1e9)}) {
      CHECK(bad(dtype, infinite, infinite, t) == 0);
      CHECK(bad(dtype, -infinite, -infinite, t) == 0);
      CHECK(bad(dtype, infinite, -infinite, t) == 1);
      CHECK(bad(dtype, infinite, 1, t) == 1);
      CHECK(bad(dtype, 1, infinite, t) == 1);
      CHECK(bad(dtype, not_a_number, infinite, t) == 1);
    }
  }
}

TEST_CASE("what overflows the output's type is expected as infinity") {
  CHECK(bad(Dtype::f16, infinite, 70000, tolerance(0x1p-11, 0x1p-11, 1)) == 0);
  CHECK(bad(Dtype::f16, 65504, 70000, tolerance(0x1p-11, 0x1p-11, 1)) == 1);
  CHECK(bad(Dtype::f16, 65504, 65519, tolerance(0x1p-11, 0x1p-11, 1)) == 0);
  CHECK(bad(Dtype::f16, 65504, 65520, tolerance(0x1p-11, 0x1p-11, 1)) == 1);  // near enough, and yet infinite
  CHECK(bad(Dtype::f32, std::numeric_limits<float>::max(), 0x1.ffffffp127, tolerance(0x1p-24, 0x1p-24, 1)) ==
        1);
  CHECK(bad(Dtype::bf16, 0x1.fep127, 0x1.ffp127, tolerance(0x1p-8, 0x1p-8, 1)) == 1);
  CHECK(bad(Dtype::f32, infinite, 1e39, exactly()) == 0);
  CHECK(bad(Dtype::f32, std::numeric_limits<float>::max(), 1e39, exactly()) == 1);
}

TEST_CASE("exact means the value rounded once to the output's type, and no neighbour of it") {
  for (auto [dtype, ulp] : {std::pair(Dtype::f32, 0x1p-23),
                            {Dtype::f64, 0x1p-52},
                            {Dtype::f16, 0x1p-10},
                            {Dtype::bf16, 0x1p-7}}) {
    const std::string type(dtype_name(dtype));
    CAPTURE(type);
    CHECK(bad(dtype, 1, 1, exactly()) == 0);
    CHECK(bad(dtype, 1 + ulp, 1, exactly()) == 1);
    CHECK(bad(dtype, 1 - ulp / 2, 1, exactly()) == 1);
    if (dtype == Dtype::f64) continue;
    CHECK(bad(dtype, 1, 1 + ulp * 0.49, exactly()) == 0);
    CHECK(bad(dtype, 1, 1 + ulp * 0.51, exactly()) == 1);
    CHECK(bad(dtype, 1, 1 + ulp / 2, exactly()) == 0);              // a tie goes to even
    CHECK(bad(dtype, 1 + 2 * ulp, 1 + ulp * 1.5, exactly()) == 0);  // as this one does
  }
  CHECK(bad(Dtype::f32, -0.0, 0.0, exactly()) == 0);
}

TEST_CASE("the allowed error is 2 u_out |r| + 4 sqrt(K) u_acc max(magnitude, |r|)") {
  Tolerance t = tolerance(0x1p-24, 0x1p-24, 1);  // at 1: (2 + 4) * 2^-24, three steps of the type
  CHECK(bad(Dtype::f32, 1 + 3 * 0x1p-23, 1, t) == 0);
  CHECK(bad(Dtype::f32, 1 + 4 * 0x1p-23, 1, t) == 1);
  t.reduction = 4;  // (2 + 8) * 2^-24
  CHECK(bad(Dtype::f32, 1 - 5 * 0x1p-23, 1, t) == 0);
  CHECK(bad(Dtype::f32, 1 - 6 * 0x1p-23, 1, t) == 1);
  Output o(Dtype::f32, 1);  // terms that cancel: the result is small, what was added up is not
  o.got(0, 0x1p-22), o.expect(0, 0);
  t.reduction = 1;
  CHECK(o.compare_with(t).bad == 1);
  o.size[0] = 1;
  CHECK(o.compare_with(t).bad == 0);
}

TEST_CASE("the benchmark's own bound is counted beside explog's") {
  Output o(Dtype::f32, 4);
  for (std::uint64_t i = 0; i < 4; ++i) o.expect(i, 10), o.got(i, 10), o.size[i] = 10;
  o.got(1, 10.25), o.got(2, 10.5);  // 0.25 is what 0.05 + 0.02 * 10 allows
  Tolerance t = tolerance(0.5, 0.5, 1);
  CHECK(o.compare_with(t).far == 0);
  t.foreign = ForeignTolerance{0.05, 0.02, 1, std::nullopt};
  Comparison c = o.compare_with(t);
  CHECK(c.bad == 0);
  CHECK(c.far == 1);
}

TEST_CASE("the error of a row is measured within that row") {
  Output o(Dtype::f32, 4 * 100, 100);
  for (std::uint64_t i = 0; i < 400; ++i) {
    double v = i / 100 == 2 ? 1 : 1e6;
    o.expect(i, v), o.got(i, i / 100 == 2 ? 1.5 : v);
  }
  Comparison c = o.compare_with(tolerance(0x1p-1, 0x1p-1, 1));
  CHECK(c.bad == 0);
  CHECK(c.worst_row == doctest::Approx(0.5));
  CHECK(c.max_abs == 0.5);
  CHECK(c.max_rel == doctest::Approx(0.5));  // over |r| + 1e-8
  CHECK(c.bits_correct > 20);                // over all of the output the error is small
  for (std::uint64_t i = 200; i < 300; ++i) o.got(i, 1);
  CHECK(o.compare_with(tolerance(0, 0, 1)).worst_row == 0);
  CHECK(o.compare_with(tolerance(0, 0, 1)).bits_correct == 64);
}

TEST_CASE("an element that is wrong or no number takes nothing from the figures of its row") {
  constexpr std::uint64_t count = 64;
  for (double last : {1.25, 2.0, not_a_number}) {
    CAPTURE(last);
    Output o(Dtype::f32, count, count);
    for (std::uint64_t i = 0; i < count; ++i) o.expect(i, 1), o.got(i, i + 1 < count ? 1.25 : last);
    Comparison c = o.compare_with(tolerance(0x1p-3, 0, 1));
    double numbers = std::isnan(last) ? count - 1 : count;
    double error2 = (count - 1) * 0.0625 + (std::isnan(last) ? 0 : (last - 1) * (last - 1));
    CHECK(c.bad == (last == 1.25 ? 0 : 1));
    CHECK(c.nan == (std::isnan(last) ? 1 : 0));
    CHECK(c.compared == count);
    CHECK(c.worst_row == doctest::Approx(std::sqrt(error2 / numbers)));
    CHECK(c.max_abs == (last == 2 ? 1 : 0.25));
    CHECK(c.bits_correct == doctest::Approx(-0.5 * std::log2(error2 / numbers)));
  }
}

TEST_CASE("an error that fewer bits explain is bad but not gross, whatever the kernel rounds to") {
  for (double want : {1.0, -0.19, 1e6, 3e-20}) {
    CAPTURE(want);
    for (double unit : {0x1p-16, 0x1p-11, 0x1p-9, 0x1p-8}) {  // split bfloat16, f16 and tf32, bfloat16
      Output o(Dtype::f32, 1);
      o.expect(0, want), o.got(0, want * (1 + 4 * unit));
      for (const Tolerance& t : {exactly(), tolerance(0x1p-24, 0x1p-24, 1)}) {
        CHECK(o.compare_with(t).bad == 1);
        CHECK(o.compare_with(t).gross == 0);
      }
    }
    for (double got : {0.0, -want, want / 2, want * 1.2, infinite, not_a_number}) {
      Output o(Dtype::f32, 1);
      o.expect(0, want), o.got(0, got);
      CHECK(o.compare_with(tolerance(0x1p-24, 0x1p-24, 1)).gross == 1);
    }
  }
}

TEST_CASE("the size of a sum whose terms cancel is what random signs leave of them") {
  Output o(Dtype::f32, 1);
  o.expect(0, 0), o.size[0] = 64;  // 64 terms of about 1: a sum of about 8
  o.got(0, 0.25);                  // what bfloat16 makes of them
  CHECK(o.compare_with(tolerance(0x1p-24, 0x1p-24, 64)).bad == 1);
  CHECK(o.compare_with(tolerance(0x1p-24, 0x1p-24, 64)).gross == 0);
  o.got(0, 1);  // a term is missing
  CHECK(o.compare_with(tolerance(0x1p-24, 0x1p-24, 64)).gross == 1);
  o.got(0, 4);  // within four times what a coarse intermediate is allowed
  CHECK(o.compare_with(tolerance(0x1p-24, 0x1p-10, 64)).bad == 1);
  CHECK(o.compare_with(tolerance(0x1p-24, 0x1p-10, 64)).gross == 0);
}

TEST_CASE("kept are only elements that hold the bytes of an earlier call and are grossly wrong") {
  Output before(Dtype::f32, 4), o(Dtype::f32, 4);
  for (std::uint64_t i = 0; i < 4; ++i) before.got(i, 1);
  o.got(0, 1), o.expect(0, 2);       // kept
  o.got(1, 1.0001), o.expect(1, 2);  // wrong, but it moved
  o.got(2, 1), o.expect(2, 1.001);   // did not move, but bfloat16 would not either
  o.got(3, 2.0001), o.expect(3, 2);  // followed, imprecisely
  Tolerance t = tolerance(0x1p-24, 0x1p-24, 1);
  CHECK(o.compare_with(t, &before).bad == 4);
  CHECK(o.compare_with(t, &before).kept == 1);
  CHECK(o.compare_with(t).kept == 0);
  Output old_count(Dtype::i32, 1), count(Dtype::i32, 1);
  old_count.got(0, 7), count.got(0, 7), count.expect_integer(0, 9);
  CHECK(count.compare_with(exactly(), &old_count).kept == 1);
  count.expect_integer(0, (1 << 24) + 1), count.got(0, 1 << 24), old_count.got(0, 1 << 24);
  CHECK(count.compare_with(exactly(), &old_count).kept == 0);  // an integer through a float
}

TEST_CASE("integers that differ by one are different, also above 2^24 and 2^53") {
  auto differs = [](Dtype dtype, std::int64_t got, std::int64_t want) {
    Output o(dtype, 1);
    o.expect_integer(0, want);
    if (dtype == Dtype::i32) o.raw(0, static_cast<std::int32_t>(got));
    if (dtype == Dtype::u8) o.raw(0, static_cast<std::uint8_t>(got));
    if (dtype == Dtype::i64) o.raw(0, got);
    return o.compare_with(exactly()).bad == 1;
  };
  for (std::int64_t v :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 24, (std::int64_t{1} << 24) + 1,
        std::int64_t{std::numeric_limits<std::int32_t>::max()} - 1}) {
    CAPTURE(v);
    CHECK_FALSE(differs(Dtype::i32, v, v));
    CHECK(differs(Dtype::i32, v + 1, v));
    CHECK(differs(Dtype::i64, v + 1, v));
  }
  for (std::int64_t v :
       {std::int64_t{1} << 53, (std::int64_t{1} << 53) + 1, std::numeric_limits<std::int64_t>::max() - 1,
        std::numeric_limits<std::int64_t>::min()}) {
    CAPTURE(v);
    CHECK_FALSE(differs(Dtype::i64, v, v));
    CHECK(differs(Dtype::i64, v + 1, v));
  }
  CHECK_FALSE(differs(Dtype::u8, 255, 255));
  CHECK(differs(Dtype::u8, 254, 255));
  CHECK(differs(Dtype::u8, 255, -1));
}

TEST_CASE("every element of every integer type is compared") {
  for (Dtype dtype : {Dtype::i32, Dtype::i64, Dtype::u8}) {
    CAPTURE(dtype_name(dtype));
    for (std::uint64_t n : {1u, 2u, 127u, 1009u, 131101u}) {
      Output o(dtype, n, n);
      for (std::uint64_t i = 0; i < n; ++i) {
        o.got(i, static_cast<double>(i % 200));
        o.expect_integer(i, static_cast<std::int64_t>(i % 200));
      }
      CHECK(o.compare_with(exactly()).compared == n);
      CHECK(o.compare_with(exactly()).bad == 0);
      o.expect_integer(n - 1, -5);
      CHECK(o.compare_with(exactly()).bad == 1);
    }
  }
}

TEST_CASE("all 65536 values of the 16-bit formats are read as what they are") {
  for (auto [dtype, exponent, mantissa] : {std::tuple(Dtype::f16, 5, 10), {Dtype::bf16, 8, 7}}) {
    const std::string type(dtype_name(dtype));
    CAPTURE(type);
    Output o(dtype, 65536);
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      int e = static_cast<int>(bits >> mantissa) & ((1 << exponent) - 1), bias = (1 << (exponent - 1)) - 1;
      double m = bits & ((1u << mantissa) - 1), v = std::ldexp(m, 1 - bias - mantissa);
      if (e > 0) v = std::ldexp(m + (1 << mantissa), e - bias - mantissa);
      if (e == (1 << exponent) - 1) v = m != 0 ? not_a_number : infinite;
      o.raw(bits, static_cast<std::uint16_t>(bits));
      o.expect(bits, bits >> 15 != 0 ? -v : v);
    }
    Comparison c = o.compare_with(exactly());
    CHECK(c.bad == 0);
    CHECK(c.max_abs == 0);
  }
}

TEST_CASE("the tolerance follows from the types of output and intermediates") {
  Task task;
  task.intermediate = "tf32";
  task.exact = {"integers"};
  Tolerance t = tolerance_for(case_of(task, "normal", 64), Dtype::f32);
  CHECK_FALSE(t.exact);
  CHECK(t.u_out == 0x1p-24);
  CHECK(t.u_acc == 0x1p-11);
  CHECK(t.reduction == 64);
  CHECK(t.tiny == 0x1p-126);
  CHECK_FALSE(t.foreign);
  CHECK(tolerance_for(case_of(task, "integers", 64), Dtype::f32).exact);
  CHECK(tolerance_for(case_of(task, "normal", 64), Dtype::i64).exact);
  CHECK(tolerance_for(case_of(task, "normal", 64), Dtype::f16).tiny == 0x1p-14);
  task.intermediate = "f32";
  CHECK(tolerance_for(case_of(task, "normal", 1), Dtype::bf16).u_acc == 0x1p-24);
  CHECK(tolerance_for(case_of(task, "normal", 1), Dtype::f32).row_floor < 1e-6);
}

TEST_CASE("terms left out of a long sum show beside its spread") {
  constexpr double terms = 0x1p26, magnitude = 0.8 * terms, spread = magnitude / 0x1p13;
  Tolerance t = tolerance(0x1p-24, 0x1p-24, terms);
  auto wrong_by = [&](double answer, double error) {
    Output o(Dtype::f64, 1);
    o.expect(0, answer);
    o.size[0] = magnitude;
    o.got(0, answer + error);
    return o.compare_with(t).bad == 1;
  };
  CHECK(wrong_by(0, 0.05 * spread));             // 0.2% of terms of both signs
  CHECK(wrong_by(magnitude, 1e-3 * magnitude));  // 0.1% of positive ones
  CHECK_FALSE(wrong_by(0, 1e-5 * spread));
  CHECK_FALSE(wrong_by(magnitude, 1e-5 * magnitude));
}

TEST_CASE("a byte changed outside the payload is found at its offset, and none inside is taken for one") {
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x123456789ABCDEF1}}) {
    for (std::uint64_t count = 1; count <= 40; ++count) {
      Output o(Dtype::u8, count);
      auto slot = poisoned_slot(o.operand, seed);
      auto end = static_cast<std::int64_t>(slot.size() - payload_offset),
           start = -static_cast<std::int64_t>(payload_offset);
      for (std::uint64_t i = 0; i < count; ++i) slot[payload_offset + i] = static_cast<char>(i * 7 + 1);
      REQUIRE_FALSE(guard_damage(o.operand, slot.data(), seed));
      auto found = [&](std::int64_t offset) {
        char& byte = slot[static_cast<std::size_t>(offset - start)];
        byte = static_cast<char>(byte ^ 1);
        auto damage = guard_damage(o.operand, slot.data(), seed);
        byte = static_cast<char>(byte ^ 1);
        return damage;
      };
      auto payload = static_cast<std::int64_t>(count);
      for (std::int64_t offset = -20; offset < payload + 20; ++offset) {
        CAPTURE(offset);
        if (offset >= 0 && offset < payload)
          REQUIRE_FALSE(found(offset));
        else
          REQUIRE(found(offset) == offset);
      }
      for (std::int64_t offset : {start, start + 1, std::int64_t{-256}, std::int64_t{-257}, std::int64_t{255},
                                  std::int64_t{256}, std::int64_t{257}, end - 1}) {
        REQUIRE(found(offset) == offset);
      }
    }
  }
}

TEST_CASE("guards of every element type and of payloads beyond 256 bytes are watched to the byte") {
  for (Dtype dtype : {Dtype::f16, Dtype::f32, Dtype::f64}) {
    for (std::uint64_t count : {1u, 3u, 31u, 32u, 33u, 64u, 127u, 128u, 129u, 1009u}) {
      Output o(dtype, count);
      auto slot = poisoned_slot(o.operand, 0);
      auto payload = static_cast<std::int64_t>(o.operand.bytes());
      std::memset(slot.data() + payload_offset, 0, o.operand.bytes());
      REQUIRE_FALSE(guard_damage(o.operand, slot.data(), 0));
      for (std::int64_t offset : {std::int64_t{-1}, payload, payload + 7, payload + 8}) {
        auto damaged = slot;
        damaged[payload_offset + static_cast<std::size_t>(offset)] = 0;
        CHECK(guard_damage(o.operand, damaged.data(), 0) == offset);
      }
    }
  }
}

TEST_CASE("the two poisons differ in every byte, so a write cannot look like both") {
  for (std::uint64_t word = 0; word < 10000; ++word) {
    std::uint64_t a = poison_word(0, word), b = poison_word(7, word);
    for (int byte = 0; byte < 8; ++byte) REQUIRE((a >> (8 * byte) & 0xFF) != (b >> (8 * byte) & 0xFF));
  }
}

TEST_CASE("unwritten elements are those that hold the poison in both runs, every one of them") {
  for (Dtype dtype : {Dtype::u8, Dtype::f16, Dtype::i32, Dtype::f64}) {
    CAPTURE(dtype_name(dtype));
    for (std::uint64_t count : {1u, 2u, 7u, 40u, 257u}) {
      Output o(dtype, count);
      auto a = poisoned_slot(o.operand, 0), b = poisoned_slot(o.operand, 99);
      auto left = [&] { return unwritten(o.operand, a.data(), 0, b.data(), 99); };
      CHECK(left() == count);
      std::size_t size = dtype_bytes(dtype), last = payload_offset + (count - 1) * size;
      a[last + size - 1] = 0x55;  // one byte is enough
      CHECK(left() == count - 1);
      for (std::uint64_t i = 0; i < count; ++i) std::memset(b.data() + payload_offset + i * size, 0x80, size);
      CHECK(left() == 0);
    }
  }
}

TEST_CASE("unwritten elements are counted to the last one when the work is split over processors") {
  Output o(Dtype::u8, (3 << 20) + 1);
  auto a = poisoned_slot(o.operand, 0), b = poisoned_slot(o.operand, 99);
  auto left = [&] { return unwritten(o.operand, a.data(), 0, b.data(), 99); };
  CHECK(left() == o.operand.count);
  for (std::uint64_t at : {std::uint64_t{0}, o.operand.count / 2, o.operand.count - 1})
    a[payload_offset + at] = 1;
  CHECK(left() == o.operand.count - 3);
}

TEST_CASE("a result that equals the poison by chance counts as written when the other run shows it") {
  Output o(Dtype::i32, 1);
  auto a = poisoned_slot(o.operand, 0), b = poisoned_slot(o.operand, 99);
  std::memset(b.data() + payload_offset, 0xFF,
              4);  // -1 is the right result: in the first run it looks like poison
  CHECK(unwritten(o.operand, a.data(), 0, b.data(), 99) == 0);
}
