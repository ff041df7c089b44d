// Charts on a square grid: heat map and reliability plot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/charts.h"

namespace explog::report {
namespace {

struct Cells {
  double left = 110, top = 40, width = 0, height = 30;
};

// From the fastest to the slowest, pale; in logarithms, since configurations differ by factors. Never so strong that the
// figure in a cell is hard to read, on light or dark.
double shade(double ms, double best, double worst) {
  constexpr double strongest = 0.52, palest = 0.05;
  if (worst <= best) return strongest;
  return strongest - (strongest - palest) * std::log(ms / best) / std::log(worst / best);
}

void add_cell(Svg& svg, const HeatMap& map, std::size_t i, const Cells& cells, double best, double worst) {
  double x = cells.left + cells.width * static_cast<double>(i % map.x.size());
  const std::size_t row = i / map.x.size();
  double y = cells.top + cells.height * static_cast<double>(row);
  double middle = x + cells.width / 2;
  if (!map.ms[i]) {
    svg.text("none", middle, y + 19, "–", {.anchor = "middle", .size = 11, .ink = Ink::dim});
    return;
  }
  double ms = *map.ms[i], depth = shade(ms, best, worst);
  std::string tip = fmt::format("{} = {}, {} = {}: {} {}", map.x_name, map.x[i % map.x.size()], map.y_name,
                                map.y[i / map.x.size()], short_number(ms, 4), map.unit);
  svg.rect("cell", x + 1, y + 1, cells.width - 2, cells.height - 2, Ink::accent, depth, tip);
  if (ms == best)
    svg.path("best",
             fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", x + 1, y + 1, cells.width - 2,
                         cells.height - 2, cells.width - 2),
             Ink::none, {Ink::good, 3});
  if (cells.width >= 44)
    svg.text("value", middle, y + 19, short_number(ms, 3),
             {.anchor = "middle", .size = 11, .bold = ms == best});
}

}  // namespace

std::string heat_map(const std::string& title, const HeatMap& map) {
  Cells cells;
  cells.width = 520.0 / static_cast<double>(std::max<std::size_t>(map.x.size(), 1));
  int height = static_cast<int>(cells.top + cells.height * static_cast<double>(map.y.size())) + 50;
  Svg svg(Svg::Look::page, 640, height, title);
  double best = 1e300, worst = 0;
  for (const auto& ms : map.ms) {
    if (ms) best = std::min(best, *ms), worst = std::max(worst, *ms);
  }
  for (std::size_t i = 0; i < map.ms.size(); ++i) add_cell(svg, map, i, cells, best, worst);
  for (std::size_t i = 0; i < map.x.size(); ++i)
    svg.text("x", cells.left + cells.width * (static_cast<double>(i) + 0.5), cells.top - 8,
             ellipsis(printable(map.x[i]), 10), {.anchor = "middle", .size = 11});
  for (std::size_t i = 0; i < map.y.size(); ++i)
    svg.text("y", cells.left - 8, cells.top + cells.height * (static_cast<double>(i) + 0.5) + 4,
             ellipsis(printable(map.y[i]), 14), {.anchor = "end", .size = 11});
  svg.text("axis", 370, 16, map.x_name, {.anchor = "middle", .bold = true});
  svg.text("axis", cells.left - 8, 16, map.y_name, {.anchor = "end", .bold = true});
  svg.text(
      "note", cells.left, height - 16,
      "the best " + map.unit + " of each pair over all other knobs; stronger is faster, framed is the best",
      {.size = 11, .ink = Ink::dim});
  return svg.finish();
}

namespace {

struct Square {
  static constexpr double left = 70, top = 66, side = 420;
  static double x(double p) { return left + p * side; }
  static double y(double p) { return top + (1 - p) * side; }
};

void add_square(Svg& svg) {
  for (int i = 0; i <= 5; ++i) {
    double p = i / 5.0;
    std::string percent = fmt::format("{}%", 20 * i);
    svg.line("grid", Square::x(p), Square::y(0), Square::x(p), Square::y(1), {Ink::grid});
    svg.line("grid", Square::x(0), Square::y(p), Square::x(1), Square::y(p), {Ink::grid});
    svg.text("x tick", Square::x(p), Square::y(0) + 20, percent, {.anchor = "middle"});
    svg.text("y tick", Square::x(0) - 10, Square::y(p) + 4, percent, {.anchor = "end"});
  }
  svg.line("truth", Square::x(0), Square::y(0), Square::x(1), Square::y(1), {Ink::dim, 1, "5 4"});
  svg.text("axis", Square::x(0.5), Square::y(0) + 44, "foreseen probability that a change helps",
           {.anchor = "middle"});
  svg.text("axis", 22, Square::y(0.5), "share that helped", {.anchor = "middle", .turn = -90});
}

}  // namespace

// Area in proportion to the number of records, the largest with a radius of 13 pixels.
std::string reliability_plot(const std::string& title, const std::string& note,
                             const std::vector<ReliabilityBin>& bins, Svg::Look look) {
  Svg svg(look, 560, 580, title, note);
  svg.text("title", Square::left, 28, title, {.size = 17, .bold = true});
  svg.text("note", Square::left, 48, note, {.ink = Ink::dim});
  add_square(svg);
  std::size_t most = 1;
  for (const ReliabilityBin& bin : bins) most = std::max(most, bin.n);
  for (const ReliabilityBin& bin : bins) {
    if (bin.n == 0) continue;
    double x = Square::x(bin.foreseen), share = static_cast<double>(bin.success) / static_cast<double>(bin.n);
    svg.line("interval", x, Square::y(bin.lo), x, Square::y(bin.hi), {Ink::accent, 2});
    double radius = 13 * std::sqrt(static_cast<double>(bin.n) / static_cast<double>(most));
    svg.circle("bin", x, Square::y(share), std::round(10 * std::max(radius, 2.5)) / 10, Ink::accent, no_edge,
               fmt::format("foreseen {:.0f}%: {} of {} helped", 100 * bin.foreseen, bin.success, bin.n));
  }
  svg.text("legend", Square::left, 568,
           "bars: 95% intervals; area: number of records; dashed: where they belong",
           {.size = 11, .ink = Ink::dim});
  return svg.finish();
}

}  // namespace explog::report
