// What the verdict on one shape and that on all of them share.
#pragma once
#include <string>

#include "bench/judge/verdict.h"

namespace explog::bench {

constexpr double least_gain = 0.02;
constexpr double loss = 0.02;      // a shape certain to lose more than this reverts the candidate
constexpr double suspicious = 10;  // speed-up that a person should look at

std::string percent(double fraction);

// Faster than the device can be.
bool below_floor(const ShapeRun& run, double ms);

}  // namespace explog::bench
