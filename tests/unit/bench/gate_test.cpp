#include "bench/judge/gate.h"

#include <doctest/doctest.h>

using namespace explog;
using namespace explog::bench;

namespace {

// A shape whose time changed by a share, give or take `half`.
GateShape gated(double change, double half, double noise = 0.005) {
  ShapeVerdict s;
  s.dims = {{"N", 64}};
  s.baseline_ms = 1, s.candidate_ms = 1 + change;
  s.speedup = 1 / (1 + change), s.lo = 1 / (1 + change + half), s.hi = 1 / (1 + change - half);
  s.noise_floor = noise;
  return gate_shape(s, 0.02);
}

}  // namespace

TEST_CASE("slower and faster are whole intervals beyond what is allowed") {
  CHECK(gated(0.05, 0.004).verdict == GateVerdict::slower);
  CHECK(gated(0.05, 0.004).lo == doctest::Approx(0.046));
  CHECK(gated(0.026, 0.005).verdict == GateVerdict::slower);
  CHECK(gated(0.024, 0.005).verdict == GateVerdict::same);  // its lower end is below 2%
  CHECK(gated(-0.05, 0.004).verdict == GateVerdict::faster);
  CHECK(gated(-0.015, 0.003).verdict == GateVerdict::same);
  CHECK(gated(0, 0.019).verdict == GateVerdict::same);
}

TEST_CASE("what could not have been seen has no verdict") {
  CHECK(gated(0, 0.03).verdict == GateVerdict::none);
  CHECK_FALSE(gated(0, 0.03).why.empty());
  CHECK(gated(0.05, 0.004, 0.08).verdict == GateVerdict::none);  // two equal kernels are as far apart
  CHECK(gated(0.2, 0.1, 0.02).verdict == GateVerdict::slower);
  ShapeVerdict nothing;
  CHECK(gate_shape(nothing, 0.02).verdict == GateVerdict::none);
}

TEST_CASE("the worst of all shapes is the verdict; no shape is none") {
  CHECK(worst_of({}) == GateVerdict::none);
  CHECK(worst_of({gated(0, 0.01), gated(0.05, 0.01), gated(0, 0.1)}) == GateVerdict::slower);
  CHECK(worst_of({gated(-0.05, 0.01), gated(0, 0.1)}) == GateVerdict::none);
  CHECK(worst_of({gated(-0.05, 0.01), gated(0, 0.01)}) == GateVerdict::faster);
  CHECK(word(GateVerdict::none) == "NO VERDICT");
}
