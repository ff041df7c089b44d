#include "bench/sweep_calls.h"

#include <algorithm>

namespace explog::bench {
namespace {

constexpr double longest_ms = 150, longest_drift_ms = 30;
constexpr int most_calls = 21, fewest_calls = 9;  // 8 samples are the fewest with a 99% interval
// A kernel of many milliseconds on a GPU shows drift in three.
constexpr int fewest_drift_calls = 3;

// As many as fit into `in_ms`.
int calls_in_time(double in_ms, double each_ms, int fewest, int most) {
  return static_cast<int>(std::clamp<double>(in_ms / std::max(each_ms, 1e-3), fewest, most));
}

}  // namespace

int calls_for_time(double each_ms) { return calls_in_time(longest_ms, each_ms, fewest_calls, most_calls); }

int calls_for_drift(double each_ms, bool on_host) {
  return calls_in_time(longest_drift_ms, each_ms, on_host ? fewest_calls : fewest_drift_calls, fewest_calls);
}

}  // namespace explog::bench
