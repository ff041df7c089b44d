#include "bench/judge/compare.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "base/parallel.h"

namespace explog::bench {
namespace {

template <class T>
T read_as(const char* p, std::uint64_t i) {
  T v;
  std::memcpy(&v, p + i * sizeof(T), sizeof(T));
  return v;
}

double float_element(Dtype dtype, const char* p, std::uint64_t i) {
  if (dtype == Dtype::f32) return read_as<float>(p, i);
  if (dtype == Dtype::f64) return read_as<double>(p, i);
  if (dtype == Dtype::f16) return half_value(read_as<std::uint16_t>(p, i));
  return bfloat16_value(read_as<std::uint16_t>(p, i));
}

std::int64_t integer_element(Dtype dtype, const char* p, std::uint64_t i) {
  if (dtype == Dtype::i32) return read_as<std::int32_t>(p, i);
  if (dtype == Dtype::u8) return read_as<std::uint8_t>(p, i);
  return read_as<std::int64_t>(p, i);
}

// `v` rounded once to the type.
double rounded(Dtype dtype, double v) {
  if (dtype == Dtype::f32) return static_cast<float>(v);
  if (dtype == Dtype::f16) return half_value(to_half(v));
  if (dtype == Dtype::bf16) return bfloat16_value(to_bfloat16(v));
  return v;
}

constexpr double largest_finite(Dtype dtype) {
  return dtype == Dtype::f64   ? std::numeric_limits<double>::max()
         : dtype == Dtype::f16 ? 65504
         : dtype == Dtype::f32 ? double{std::numeric_limits<float>::max()}
                               : 0x1.fep127;
}

double smallest_normal(Dtype dtype) {
  return dtype == Dtype::f64 ? 0x1p-1022 : dtype == Dtype::f16 ? 0x1p-14 : 0x1p-126;
}

// Arithmetic of fewer bits explains an error up to this part of an element's size: bfloat16 rounds to 2^-9 of
// each term, and the largest of many elements errs by a few times that.
constexpr double coarse = 0x1p-4;

// A relative error is over |r| + 1e-8, as FlashInfer-Bench has it, whose traces tell it.
constexpr double relative_to = 1e-8, most = std::numeric_limits<double>::max();

// Of a long sum the magnitude says little: terms of both signs leave about its part 1/sqrt(K), and terms that were left
// out would hide in it. Nobody adds more than 2^20 terms one after the other and calls that precise.
constexpr double long_sum = 0x1p16, most_growth = 0x1p10;

// Sums of one run of rows; added up under a lock.
struct Partial {
  Comparison c;
  double error2 = 0, value2 = 0;
};

class RowComparer {
 public:
  RowComparer(const Operand& output, const char* got, const Expected& expected, const Tolerance& tolerance,
              const char* before)
      : dtype_(output.argument->dtype), got_(got), before_(before), expected_(expected), t_(tolerance) {
    const double root = std::sqrt(t_.reduction);
    of_root_ = 1 / root, of_reduction_ = 1 / t_.reduction;
    slope_ = 4 * std::min(root, most_growth) * t_.u_acc;
  }

  void row(std::uint64_t begin, std::uint64_t end, Partial& p) const {
    with_constant(dtype_, std::make_integer_sequence<int, bit_formats>(), [&](auto dtype) {
      if constexpr (is_float(dtype.value)) {
        Sums row;
        if (!near<dtype.value>(begin, end, p, row)) {
          row = {};
          for (std::uint64_t i = begin; i < end; ++i) real<dtype.value>(i, p, row);
        }
        add(row, p);
      } else {
        for (std::uint64_t i = begin; i < end; ++i) integer(i, p);
      }
    });
    p.c.compared += end - begin;
  }

 private:
  struct Sums {
    double error2 = 0, size2 = 0, value2 = 0;
    void add(double error, double r, double size) { error2 += error * error, size2 += size, value2 += r * r; }
  };

  static void add(const Sums& row, Partial& p) {
    if (row.error2 > 0)
      p.c.worst_row = std::max(p.c.worst_row, std::sqrt(row.error2 / std::max(row.size2, 1e-300)));
    p.error2 += row.error2;
    p.value2 += row.value2;
  }

  // Of an element of size |r| whose terms are of this magnitude.
  double allowed(double r, double magnitude) const {
    const double base = t_.reduction > long_sum ? std::max(r, magnitude * of_root_) : magnitude;
    return 2 * t_.u_out * r + slope_ * base + t_.tiny;
  }
  double size2(double r, double magnitude) const {
    return std::max(r * r, magnitude * magnitude * of_reduction_);
  }

  // A row without doubt, as nearly all are: every element finite and near enough by the rule of `real`, and nothing else asked
  // for, in less than half of the time. False: it may be another, and p is as it was.
  template <Dtype dtype>
  bool near(std::uint64_t begin, std::uint64_t end, Partial& p, Sums& row) const {
    if (t_.exact || t_.foreign || expected_.roundings) return false;
    constexpr double finite = largest_finite(dtype);
    double max_abs = p.c.max_abs, max_rel = p.c.max_rel;
    for (std::uint64_t i = begin; i < end; ++i) {
      const double o = float_element(dtype, got_, i), r = std::abs(expected_.values[i]);
      const double magnitude = std::max(expected_.magnitudes[i], r);
      const double error = std::abs(o - expected_.values[i]), part = r + relative_to;
      if (!(error <= allowed(r, magnitude) && r <= finite && error <= finite)) return false;
      max_abs = std::max(max_abs, error);
      if (error > max_rel * part) max_rel = error / part;
      row.add(error, r, size2(r, magnitude));
    }
    p.c.max_abs = max_abs, p.c.max_rel = max_rel;
    return true;
  }

  template <Dtype dtype>
  void real(std::uint64_t i, Partial& p, Sums& row) const {
    double o = float_element(dtype, got_, i), r = expected_.values[i];
    double magnitude = std::max(expected_.magnitudes[i], std::abs(r)), target = rounded(dtype, r);
    if (!std::isfinite(o) || !std::isfinite(target)) {
      bool same = std::isnan(r) ? std::isnan(o) : o == target;
      if (std::isnan(o) && !std::isnan(r)) ++p.c.nan;
      if (!same) bad(i, o, r, true, p);
      return;
    }
    double error = std::abs(o - r), most_error = allowed(std::abs(r), magnitude);
    if (expected_.roundings) most_error += static_cast<double>(expected_.roundings[i]);
    bool good = t_.exact ? o == target : error <= most_error;
    double size = std::max(std::abs(r), magnitude * of_root_);
    if (!good) bad(i, o, r, error > std::max(coarse * size, 4 * most_error), p);
    p.c.far += t_.foreign && error > t_.foreign->max_atol + t_.foreign->max_rtol * std::abs(r);
    p.c.max_abs = std::max(p.c.max_abs, error);
    if (double part = std::abs(r) + relative_to; error > p.c.max_rel * part)  // a division is seldom needed
      p.c.max_rel = std::min(error / part, most);
    row.add(error, r, size2(r, magnitude));
  }

  void integer(std::uint64_t i, Partial& p) const {
    std::int64_t o = integer_element(dtype_, got_, i), r = expected_.integers()[i];
    if (o == r) return;
    auto got = static_cast<double>(o), want = static_cast<double>(r);
    bad(i, got, want, std::abs(got - want) > coarse * std::abs(want), p);
    p.c.max_abs = std::max(p.c.max_abs, std::abs(got - want));
  }

  void bad(std::uint64_t i, double o, double r, bool gross, Partial& p) const {
    ++p.c.bad;
    p.c.gross += gross;
    p.c.kept += gross && before_ && same_element(i);
    if (p.c.first.size() < 5) p.c.first.push_back({i, o, r});
  }

  bool same_element(std::uint64_t i) const {
    std::size_t size = dtype_bytes(dtype_);
    return std::memcmp(got_ + i * size, before_ + i * size, size) == 0;
  }

  Dtype dtype_;
  const char *got_, *before_;
  const Expected& expected_;
  const Tolerance& t_;
  double of_root_, of_reduction_;  // 1 / sqrt(terms of a sum), 1 / terms
  double slope_;                   // error allowed for each unit of size
};

void add(Comparison& sum, const Comparison& part) {
  sum.compared += part.compared;
  sum.bad += part.bad;
  sum.nan += part.nan;
  sum.gross += part.gross;
  sum.kept += part.kept;
  sum.far += part.far;
  sum.max_abs = std::max(sum.max_abs, part.max_abs);
  sum.max_rel = std::max(sum.max_rel, part.max_rel);
  sum.worst_row = std::max(sum.worst_row, part.worst_row);
  sum.first.insert(sum.first.end(), part.first.begin(), part.first.end());
}

void keep_first(std::vector<BadElement>& list) {
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  if (list.size() > 5) list.resize(5);
}

}  // namespace

double element_value(Dtype dtype, const char* data, std::uint64_t i) {
  return is_float(dtype) ? float_element(dtype, data, i)
                         : static_cast<double>(integer_element(dtype, data, i));
}

// Its inputs are those that are timed; what explog adds (hidden shapes, large numbers) is outside of its bounds' idea.
static bool is_benchmarks(const Case& c) {
  if (!c.task->tolerance || (!c.has_given() && c.distribution != c.task->distributions.front())) return false;
  return std::any_of(c.task->backends.begin(), c.task->backends.end(), [&](const TaskBackend& backend) {
    return std::find(backend.timed.begin(), backend.timed.end(), c.dims) != backend.timed.end();
  });
}

Tolerance tolerance_for(const Case& c, Dtype output) {
  return tolerance_for(c, output, c.task->intermediate);
}

Tolerance tolerance_for(const Case& c, Dtype output, const std::string& intermediate) {
  Tolerance t;
  const Task& task = *c.task;
  if (is_benchmarks(c)) t.foreign = task.tolerance;
  t.exact = !is_float(output) || is_exact(task, c.distribution);
  if (!is_float(output)) return t;
  int bits = intermediate == "tf32" ? 11 : significand_bits(parse_dtype(intermediate).value_or(output));
  t.u_out = std::ldexp(1, -significand_bits(output));
  t.u_acc = std::ldexp(1, -bits);
  t.reduction = c.reduction;
  t.tiny = smallest_normal(output);
  // Formats of few bits are rounded once; in f32 and f64 a plain loop over K terms, which is no mistake, errs
  // by about u sqrt(K).
  double u = std::max(t.u_out, t.u_acc);
  t.row_floor = u > 0x1p-20 ? 2 * u : std::max(8 * u, 4 * u * std::sqrt(c.reduction));
  return t;
}

Comparison compare(const Operand& output, const char* got, const Expected& expected,
                   const Tolerance& tolerance, const char* before) {
  std::mutex guard;
  Partial sum;
  RowComparer comparer(output, got, expected, tolerance, before);
  std::uint64_t rows = output.count / output.row;
  parallel_for(rows, std::max<std::uint64_t>(1, 65536 / output.row),
               [&](std::uint64_t begin, std::uint64_t end) {
                 Partial part;
                 for (std::uint64_t r = begin; r < end; ++r)
                   comparer.row(r * output.row, (r + 1) * output.row, part);
                 std::lock_guard lock(guard);
                 add(sum.c, part.c);
                 sum.error2 += part.error2;
                 sum.value2 += part.value2;
               });
  keep_first(sum.c.first);
  sum.c.bits_correct = sum.error2 > 0 && sum.value2 > 0 ? -0.5 * std::log2(sum.error2 / sum.value2) : 64;
  return sum.c;
}

std::optional<std::int64_t> guard_damage(const Operand& o, const char* slot, std::uint64_t poison_seed) {
  std::size_t end = slot_bytes(o), payload_end = payload_offset + o.bytes();
  for (std::size_t word = 0; word * 8 < end; ++word) {
    std::size_t at = word * 8;
    if (at >= payload_offset &&
        at + 8 <= payload_end) {  // nothing of the guard in this word: jump to the last one
      word = payload_end / 8 - 1;
      continue;
    }
    std::uint64_t want = poison_word(poison_seed, word), got = read_as<std::uint64_t>(slot, word);
    if (want == got) continue;
    for (std::size_t byte = 0; byte < 8; ++byte) {
      std::size_t position = at + byte;
      bool guard = position < payload_offset || position >= payload_end;
      if (guard && (want >> (8 * byte) & 0xFF) != (got >> (8 * byte) & 0xFF))
        return static_cast<std::int64_t>(position) - static_cast<std::int64_t>(payload_offset);
    }
  }
  return std::nullopt;
}

std::uint64_t unwritten(const Operand& o, const char* slot_a, std::uint64_t seed_a, const char* slot_b,
                        std::uint64_t seed_b) {
  std::size_t size = dtype_bytes(o.argument->dtype);
  auto poisoned = [&](const char* slot, std::uint64_t seed, std::size_t at) {
    for (std::size_t byte = at; byte < at + size; ++byte) {
      auto want = static_cast<unsigned char>(poison_word(seed, byte / 8) >> (8 * (byte % 8)));
      if (static_cast<unsigned char>(slot[byte]) != want) return false;
    }
    return true;
  };
  std::atomic<std::uint64_t> count = 0;
  parallel_for(o.count, 1 << 20, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      std::size_t at = payload_offset + i * size;
      if (poisoned(slot_a, seed_a, at) && poisoned(slot_b, seed_b, at)) ++count;
    }
  });
  return count;
}

}  // namespace explog::bench
