// Is an output right? All comparison happens here, in the supervisor, on bytes the candidate can no longer
// change.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/judge/case.h"

namespace explog::bench {

// What is expected of one output: values and magnitudes (doubles) or int64 values, `count` of each. Roundings: by how much
// an element may be off because the reference itself rounds to 16 bits on the way; nullptr where none does.
struct Expected {
  const double* values = nullptr;
  const double* magnitudes = nullptr;
  const float* roundings = nullptr;
  const std::int64_t* integers() const { return reinterpret_cast<const std::int64_t*>(values); }
};

// How near an element must come: |o - r| <= 2 u_out |r| + 4 sqrt(K) u_acc max(magnitude, |r|) + roundings + tiny, from
// the standard rounding analysis with random signs (Higham, Accuracy and Stability of Numerical Algorithms,
// ch. 3); sqrt(K) counts up to 2^10, and beyond K = 2^16 the magnitude is no more than max(magnitude / sqrt(K), |r|), the
// spread of an answer whose terms have random signs. And each row's error within twice that of the task's own baseline, or
// row_floor.
// And what the benchmark asks for that an imported task is from, at its timed shapes with the inputs that are timed.
struct Tolerance {
  bool exact = false;                       // the correctly rounded value and nothing else
  double u_out = 0;                         // unit roundoff of the output type
  double u_acc = 0;                         // of the lowest precision an intermediate may have
  double reduction = 1;                     // K
  double tiny = 0;                          // smallest normal number of the output type
  double row_floor = 0;                     // largest row error that is always allowed
  std::optional<ForeignTolerance> foreign;  // of the benchmark that the task is from
};
Tolerance tolerance_for(const Case& c, Dtype output);
// The same where intermediates may have another precision than the task says ("tf32").
Tolerance tolerance_for(const Case& c, Dtype output, const std::string& intermediate);

struct BadElement {
  std::uint64_t index = 0;
  double got = 0, want = 0;
};

struct Comparison {
  std::uint64_t compared = 0, bad = 0, nan = 0;  // elements; compared must equal the output's count
  std::uint64_t gross = 0;  // bad ones further off than arithmetic of fewer bits explains
  std::uint64_t kept = 0;   // gross ones that hold the very bytes of `before`
  std::uint64_t far = 0;    // beyond the benchmark's own bound
  double max_abs = 0, max_rel = 0;
  double worst_row =
      0;  // largest rms error of a row over the row's size sqrt(mean(max(r^2, magnitude^2 / K)))
  double bits_correct = 0;        // -log2 of the rms error over the rms value
  std::vector<BadElement> first;  // at most 5
};

// Element i of an array of `dtype`, widened; i64 beyond 2^53 is rounded.
double element_value(Dtype dtype, const char* data, std::uint64_t i);

// Compares one output (its payload) with what is expected, every element, on all processors. `before` is the
// payload that an earlier call gave for other inputs, where that is known.
Comparison compare(const Operand& output, const char* got, const Expected& expected,
                   const Tolerance& tolerance, const char* before = nullptr);

// Bytes of one argument as the runner saved them: guard, payload, guard.
constexpr std::size_t payload_offset = protocol::payload_offset(protocol::guard_bytes);
inline std::size_t slot_bytes(const Operand& o) {
  return protocol::slot_bytes(protocol::guard_bytes, o.bytes());
}

// Byte offset from the payload's start at which the poison round the payload was overwritten, or nothing.
std::optional<std::int64_t> guard_damage(const Operand& o, const char* slot, std::uint64_t poison_seed);

// Elements that still hold their poison in both of two runs.
std::uint64_t unwritten(const Operand& o, const char* slot_a, std::uint64_t seed_a, const char* slot_b,
                        std::uint64_t seed_b);

}  // namespace explog::bench
