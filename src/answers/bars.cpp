#include "answers/bars.h"

#include <algorithm>
#include <cmath>

namespace explog::answers {
namespace {

// The column of a value, the axis' ends included.
std::size_t column_of(double value, double from, double to, int width) {
  double share = to > from ? std::clamp((value - from) / (to - from), 0.0, 1.0) : 0;
  return static_cast<std::size_t>(std::lround(share * (width - 1)));
}

}  // namespace

std::string bar(double share, int width) {
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0) || width <= 0) return "";
  auto steps = static_cast<int>(std::lround(std::min(share, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < steps / 8; ++i) text += "█";
  return text + eighths[steps % 8];
}

std::string interval_bar(double lo, double middle, double hi, double from, double to, int width) {
  if (width < 3 || !std::isfinite(lo + middle + hi) || lo > hi) return "";
  std::string line(static_cast<std::size_t>(width), '.');
  if (from <= 1 && 1 <= to) line[column_of(1, from, to, width)] = '|';
  std::size_t left = column_of(lo, from, to, width), right = column_of(hi, from, to, width);
  std::fill(line.begin() + static_cast<long>(left), line.begin() + static_cast<long>(right) + 1, '-');
  line[column_of(middle, from, to, width)] = 'o';
  return line;
}

}  // namespace explog::answers
