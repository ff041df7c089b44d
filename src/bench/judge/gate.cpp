#include "bench/judge/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace explog::bench {

std::string_view word(GateVerdict verdict) {
  constexpr std::string_view words[] = {"same", "FASTER", "SLOWER", "NO VERDICT", "NEW"};
  return words[static_cast<std::size_t>(verdict)];
}

GateShape gate_shape(const ShapeVerdict& s, double max_slower) {
  GateShape g;
  g.shape = dims_text(s.dims), g.base_ms = s.baseline_ms, g.head_ms = s.candidate_ms;
  if (s.lo <= 0 || s.hi <= 0 || s.speedup <= 0) {
    g.why = "too few blocks";
    return g;
  }
  g.change = 1 / s.speedup - 1, g.lo = 1 / s.hi - 1, g.hi = 1 / s.lo - 1;
  bool above_noise = std::abs(g.change) > s.noise_floor;
  if (g.lo > max_slower && above_noise) {
    g.verdict = GateVerdict::slower;
  } else if (g.hi < -max_slower && above_noise) {
    g.verdict = GateVerdict::faster;
  } else if ((g.hi - g.lo) / 2 <= max_slower && s.noise_floor <= std::max(max_slower, 0.02)) {
    g.verdict = GateVerdict::same;
  } else {
    g.why = fmt::format("noise: a change of {:g}% could not have been seen", 100 * max_slower);
  }
  return g;
}

GateVerdict worst_of(const std::vector<GateShape>& shapes) {
  auto any = [&](GateVerdict v) {
    return std::any_of(shapes.begin(), shapes.end(), [v](const GateShape& s) { return s.verdict == v; });
  };
  if (any(GateVerdict::slower)) return GateVerdict::slower;
  if (any(GateVerdict::none) || shapes.empty()) return GateVerdict::none;
  return any(GateVerdict::faster) ? GateVerdict::faster : GateVerdict::same;
}

}  // namespace explog::bench
