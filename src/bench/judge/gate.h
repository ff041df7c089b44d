// Is a kernel as fast as it was? The verdicts of `gate`, from those of the judge; pure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bench/judge/verdict.h"

namespace explog::bench {

enum class GateVerdict { same, faster, slower, none, fresh };
std::string_view word(GateVerdict verdict);  // "same", "FASTER", "SLOWER", "NO VERDICT", "NEW"

struct GateShape {
  std::string shape;
  double base_ms = 0, head_ms = 0;
  double change = 0, lo = 0, hi = 0;  // of the time, with its 99% interval: 0.05 is 5% slower
  GateVerdict verdict = GateVerdict::none;
  std::string why;  // of NO VERDICT
};

// SLOWER and FASTER where the whole interval is beyond `max_slower` and the change beyond the noise floor; same where
// the interval is narrow enough to have seen a change of `max_slower`; otherwise nobody knows.
GateShape gate_shape(const ShapeVerdict& shape, double max_slower);

// Of all shapes: SLOWER before NO VERDICT before FASTER.
GateVerdict worst_of(const std::vector<GateShape>& shapes);

}  // namespace explog::bench
