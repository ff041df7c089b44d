// Axes of charts: round ticks, and where a value is drawn.
#pragma once
#include <string>
#include <vector>

namespace explog::report {

struct Scale {
  double low = 0, high = 1;  // values
  double from = 0, to = 1;   // pixels
  bool logarithmic = false;  // then low > 0
  double operator()(double value) const;
};

// Ticks of 1, 2 or 5 times a power of ten, about `wanted` of them, in [low, high].
std::vector<double> ticks(double low, double high, int wanted);
// For a logarithmic axis: 1, 2 and 5 of each decade, where that is too many only its 1.
std::vector<double> log_ticks(double low, double high);
// `value` as a tick beside `others`: no more digits than tell them apart.
std::string tick_text(double value);

}  // namespace explog::report
