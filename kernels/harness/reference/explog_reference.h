// What a task's reference.cpp is written against.
//
// The same source is compiled several times: with `real` = double it says what is right; with a `real` that
// rounds after each operation to fewer bits it must be found wrong, or the task's tolerance is too wide; with
// float and the terms of each sum in another order it must still be found right.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace explog {

// A number that keeps `Bits` bits of significand (the hidden one included) after every operation.
template <int Bits>
class Rounded {
 public:
  Rounded() = default;
  Rounded(double v) : v_(round(v)) {}  // NOLINT: converts like a number
  explicit operator double() const { return v_; }
  Rounded& operator+=(Rounded o) { return *this = *this + o; }
  Rounded& operator-=(Rounded o) { return *this = *this - o; }
  Rounded& operator*=(Rounded o) { return *this = *this * o; }
  Rounded& operator/=(Rounded o) { return *this = *this / o; }
  friend Rounded operator+(Rounded a, Rounded b) { return a.v_ + b.v_; }
  friend Rounded operator-(Rounded a, Rounded b) { return a.v_ - b.v_; }
  friend Rounded operator*(Rounded a, Rounded b) { return a.v_ * b.v_; }
  friend Rounded operator/(Rounded a, Rounded b) { return a.v_ / b.v_; }
  friend Rounded operator-(Rounded a) { return -a.v_; }
  friend bool operator<(Rounded a, Rounded b) { return a.v_ < b.v_; }
  friend bool operator>(Rounded a, Rounded b) { return a.v_ > b.v_; }
  friend bool operator==(Rounded a, Rounded b) { return a.v_ == b.v_; }

 private:
  static double round(double v) {
    if (v == 0 || !std::isfinite(v)) return v;
    int exponent = 0;
    double fraction = std::frexp(v, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, Bits)), exponent - Bits);
  }
  double v_ = 0;
};
template <int B>
Rounded<B> exp(Rounded<B> v) {
  return std::exp(double(v));
}
template <int B>
Rounded<B> log(Rounded<B> v) {
  return std::log(double(v));
}
template <int B>
Rounded<B> sqrt(Rounded<B> v) {
  return std::sqrt(double(v));
}
template <int B>
Rounded<B> tanh(Rounded<B> v) {
  return std::tanh(double(v));
}
template <int B>
Rounded<B> sin(Rounded<B> v) {
  return std::sin(double(v));
}
template <int B>
Rounded<B> cos(Rounded<B> v) {
  return std::cos(double(v));
}
template <int B>
Rounded<B> abs(Rounded<B> v) {
  return std::abs(double(v));
}

#ifndef EXPLOG_REAL
#define EXPLOG_REAL double
#endif
using real = EXPLOG_REAL;

using std::abs;
using std::cos;
using std::exp;
using std::log;
using std::sin;
using std::sqrt;
using std::tanh;

// One case: dimensions, inputs, and room for what is expected. Names are those of task.json.
class Problem {
 public:
  std::int64_t dim(const char* name) const;            // also the value of an integer scalar
  double scalar(const char* name) const;               // the value of any scalar
  const real* in(const char* name) const;              // an input (or inout before the call), exactly widened
  const std::int64_t* in_int(const char* name) const;  // an integer input
  real* out(const char* name);              // the expected value of each element, floating point outputs
  std::int64_t* out_int(const char* name);  // the same for integer outputs
  // Optional: the sum of the magnitudes of the terms added up for each element (|a||b| in a product); it
  // starts as 0 and bounds the rounding error that is allowed where terms cancel.
  double* magnitude(const char* name);

 private:
  friend struct ProblemAccess;
  void* state_ = nullptr;
};

// The indices 0 .. n-1 of a sum, in the order its terms are added; use it for every long sum.
struct terms {
  explicit terms(std::int64_t n) : n_(n) {}
  struct iterator {
    std::int64_t i, step;
    std::int64_t operator*() const { return i; }
    iterator& operator++() {
      i += step;
      return *this;
    }
    bool operator!=(const iterator& o) const { return i != o.i; }
  };
#ifdef EXPLOG_REVERSED
  iterator begin() const { return {n_ - 1, -1}; }
  iterator end() const { return {-1, -1}; }
#else
  iterator begin() const { return {0, 1}; }
  iterator end() const { return {n_, 1}; }
#endif
 private:
  std::int64_t n_;
};

// As many doubles as a register of this processor holds.
#if defined(__AVX512F__)
constexpr std::int64_t lanes = 8;
#elif defined(__AVX__)
constexpr std::int64_t lanes = 4;
#else
constexpr std::int64_t lanes = 2;
#endif
using Lanes = double __attribute__((vector_size(8 * lanes)));

// Rows of C = A B, at as many columns as there are lanes: `panel` holds those of B, one row after the other.
template <int height, class Of>
void multiply_panel(const double* A, const Lanes* panel, double* C, double* magnitudes, std::int64_t N,
                    std::int64_t K, std::int64_t columns, const Of& of) {
  Lanes sums[height] = {}, sizes[height] = {};
  for (std::int64_t k : terms(K)) {
    for (int row = 0; row < height; ++row) {
      const Lanes term = A[row * K + k] * panel[k];
      sums[row] += term;
      sizes[row] += of(term);
    }
  }
  for (int row = 0; row < height; ++row) {
    std::memcpy(C + row * N, &sums[row], sizeof(double) * columns);
    std::memcpy(magnitudes + row * N, &sizes[row], sizeof(double) * columns);
  }
}

// C = A B of row-major matrices, M x K and K x N: the rows [begin, end) of C, each sum in the order of `terms`. The magnitude
// of an element becomes the sum of `of(term)`, of a double or of Lanes.
template <class Of>
void multiply(const real* A, const real* B, real* C, double* magnitudes, std::int64_t N, std::int64_t K,
              std::int64_t begin, std::int64_t end, const Of& of) {
  if constexpr (std::is_same_v<real, double>) {
    std::vector<Lanes> panel(static_cast<std::size_t>(K));
    for (std::int64_t j = 0; j < N; j += lanes) {
      const std::int64_t columns = std::min(lanes, N - j);
      for (std::int64_t k = 0; k < K; ++k)
        std::memcpy(&panel[static_cast<std::size_t>(k)], B + k * N + j, sizeof(double) * columns);
      auto rows = [&]<int count>(std::integral_constant<int, count>, std::int64_t i) {
        multiply_panel<count>(A + i * K, panel.data(), C + i * N + j, magnitudes + i * N + j, N, K, columns,
                              of);
      };
      std::int64_t i = begin;
      for (; i + 4 <= end; i += 4) rows(std::integral_constant<int, 4>(), i);
      for (; i < end; ++i) rows(std::integral_constant<int, 1>(), i);
    }
  } else {
    for (std::int64_t i = begin; i < end; ++i) {
      std::fill_n(C + i * N, N, real(0));
      for (std::int64_t k : terms(K)) {
        for (std::int64_t j = 0; j < N; ++j) {
          const real term = A[i * K + k] * B[k * N + j];
          C[i * N + j] += term;
          magnitudes[i * N + j] += of(double(term));
        }
      }
    }
  }
}

// The size of a term, of a double or of Lanes.
constexpr auto absolute = [](auto term) { return term < 0 ? -term : term; };

// Defined by reference.cpp: computes the items [begin, end) of the task's "rows"; called from several threads
// at once.
void reference(Problem& p, std::int64_t begin, std::int64_t end);

}  // namespace explog
