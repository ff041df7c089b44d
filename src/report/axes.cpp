#include "report/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace explog::report {

double Scale::operator()(double value) const {
  double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + std::clamp(share, 0.0, 1.0) * (to - from);
}

std::vector<double> ticks(double low, double high, int wanted) {
  double rough = (high - low) / std::max(wanted, 1);
  if (!(rough > 0) || !std::isfinite(rough)) return {low};
  double power = std::pow(10, std::floor(std::log10(rough))), step = power;
  for (double times : {1.0, 2.0, 5.0, 10.0}) {
    step = times * power;
    if (step >= rough * 0.999) break;
  }
  std::vector<double> list;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step && list.size() < 50; ++i)
    list.push_back(i * step);
  return list;
}

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> list;
  bool few = std::log10(high / low) < 2.5;
  for (double k = std::floor(std::log10(low)); k <= std::log10(high) && list.size() < 60; ++k) {
    for (double digit : {1.0, 2.0, 5.0}) {
      double value = digit * std::pow(10, k);
      bool shown = value >= low * 0.999 && value <= high * 1.001 && (digit == 1 || few);
      if (shown) list.push_back(value);
    }
  }
  return list;
}

std::string tick_text(double value) {
  double size = std::abs(value);
  if (value == 0) return "0";
  return size >= 1e5 || size < 1e-4 ? fmt::format("{:.0e}", value) : fmt::format("{:.6g}", value);
}

}  // namespace explog::report
