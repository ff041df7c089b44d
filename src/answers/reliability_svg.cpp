#include "answers/reliability_svg.h"

#include <fmt/format.h>

#include <cmath>

#include "recommend/ranking_metrics.h"

namespace explog::answers {
namespace {

constexpr double left = 56, top = 36, side = 280;  // pixels

double px(double p) { return left + p * side; }
double py(double p) { return top + (1 - p) * side; }

std::string line(double x0, double y0, double x1, double y1, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", px(x0), py(y0),
                     px(x1), py(y1), style);
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, words);
}

std::string axes() {
  std::string out;
  for (double p : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    out += line(p, 0, p, 1, "stroke=\"#ddd\"") + line(0, p, 1, p, "stroke=\"#ddd\"");
    out += text(px(p), py(0) + 16, "middle", fmt::format("{:.0f}%", 100 * p));
    out += text(px(0) - 6, py(p) + 4, "end", fmt::format("{:.0f}%", 100 * p));
  }
  out += line(0, 0, 1, 1, "stroke=\"#888\" stroke-dasharray=\"4 3\"");
  out += text(px(0.5), py(0) + 34, "middle", "P(helps) as foreseen");
  return out + text(px(0), py(1) - 8, "start", "helped");
}

// Area in proportion to the number of records, the largest with a radius of 9 pixels.
std::string points(const recommend::Reliability& r) {
  std::size_t most = 1;
  for (const auto& bin : r.bins) most = std::max(most, bin.n);
  std::string out;
  for (const auto& bin : r.bins) {
    if (bin.n == 0) continue;
    auto n = static_cast<double>(bin.n), k = static_cast<double>(bin.success);
    auto [lo, hi] = recommend::wilson_interval(k, n);
    out += line(bin.mean_p, lo, bin.mean_p, hi, "stroke=\"#1f5fa8\" stroke-width=\"1.5\"");
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#1f5fa8\"><title>{} of {} helped"
        "</title></circle>\n",
        px(bin.mean_p), py(k / n), 9 * std::sqrt(n / static_cast<double>(most)), bin.success, bin.n);
  }
  return out;
}

}  // namespace

std::string reliability_svg(const recommend::Reliability& r) {
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\" height=\"372\" viewBox=\"0 0 360 372\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"360\" height=\"372\" fill=\"#fff\"/>\n";
  out += text(px(1), py(1) - 8, "end", fmt::format("{} records, calibration error {:.3f}", r.n, r.ece));
  return out + axes() + points(r) + "</svg>\n";
}

}  // namespace explog::answers
