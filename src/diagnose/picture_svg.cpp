#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/svg.h"
#include "base/text.h"
#include "diagnose/picture_chart.h"

namespace explog::diagnose {
namespace {

struct Frame {
  static constexpr double left = 84, right = 640, top = 58, bottom = 428;
};
double px(const Chart& chart, double x) {
  return Frame::left + chart.x.share(x) * (Frame::right - Frame::left);
}
double py(const Chart& chart, double y) {
  return Frame::bottom - chart.y.share(y) * (Frame::bottom - Frame::top);
}

void svg_axes(Svg& svg, const Chart& chart) {
  const Stroke grid{Ink::grid};
  std::string minor;
  bool few = chart.x.high - chart.x.low <= 8 && chart.y.high - chart.y.low <= 8;
  for (int k = chart.x.low; k <= chart.x.high; ++k) {
    svg.line("x grid", px(chart, k), Frame::top, px(chart, k), Frame::bottom, grid);
    svg.text("x tick", px(chart, k), Frame::bottom + 20, intensity_tick(k), {.anchor = "middle"});
    for (int i = 2; i < 10 && k < chart.x.high && few; ++i)
      minor += fmt::format("M{:.1f} {:.1f}v5", px(chart, k + std::log10(i)), Frame::bottom);
  }
  for (int k = chart.y.low; k <= chart.y.high; ++k) {
    svg.line("y grid", Frame::left, py(chart, k), Frame::right, py(chart, k), grid);
    svg.text("y tick", Frame::left - 10, py(chart, k) + 4, rate_tick(k), {.anchor = "end"});
    for (int i = 2; i < 10 && k < chart.y.high && few; ++i)
      minor += fmt::format("M{:.1f} {:.1f}h-5", Frame::left, py(chart, k + std::log10(i)));
  }
  svg.path("minor", minor, Ink::none, {Ink::dim});
  svg.path("frame", fmt::format("M{0} {1}V{2}H{3}", Frame::left, Frame::top, Frame::bottom, Frame::right),
           Ink::none, {Ink::text});
  svg.text("axis", (Frame::left + Frame::right) / 2, Frame::bottom + 42, "arithmetic intensity (FLOP/byte)",
           {.anchor = "middle"});
  svg.text("axis", 24, (Frame::top + Frame::bottom) / 2, "performance (FLOP/s)",
           {.anchor = "middle", .turn = -90});
}

void roof_line(Svg& svg, const Chart& chart, const Segment& s, std::string_view kind, Stroke stroke,
               bool dashed) {
  if (dashed) stroke.dash = "7 5";
  svg.line(kind, px(chart, s.x0), py(chart, s.y0), px(chart, s.x1), py(chart, s.y1), stroke);
}

constexpr Stroke memory_stroke{Ink::accent, 2.5}, compute_stroke{Ink::second, 2.5};

double slope_angle(const Chart& chart, const Segment& s) {
  return std::atan2(py(chart, s.y0) - py(chart, s.y1), px(chart, s.x1) - px(chart, s.x0));
}

// Caches are faster roofs of less: thin, with the name at their lower end.
void svg_caches(Svg& svg, const Chart& chart) {
  double last = -100;
  for (const Ceiling& cache : chart.caches) {
    auto slope = slope_of(chart, cache);
    if (!slope) continue;
    roof_line(svg, chart, *slope, "cache", {Ink::accent, 1.2}, cache.dashed);
    double x = px(chart, slope->x0) + 6, y = py(chart, slope->y0) - 10;
    if (std::abs(y - last) < 14) continue;
    last = y;
    double angle = slope_angle(chart, *slope) * 180 / std::numbers::pi;
    svg.text("cache caption", x, y, cache.caption,
             {.size = 11, .ink = Ink::accent, .turn = -angle, .halo = true});
  }
}

// Captions run along the slope, above the upper line: points are below.
void svg_memory(Svg& svg, const Chart& chart) {
  auto measured = chart.memory ? slope_of(chart, *chart.memory) : std::nullopt;
  if (!measured) return;
  double rise = py(chart, measured->y0) - py(chart, measured->y1), above = 0;
  double angle = slope_angle(chart, *measured);
  if (auto nominal = chart.nominal ? slope_of(chart, *chart.nominal) : std::nullopt) {
    roof_line(svg, chart, *nominal, "nominal memory", memory_stroke, true);
    double decades = std::max(0.0, chart.nominal->log - chart.memory->log);
    above = decades * rise / (measured->y1 - measured->y0) * std::cos(angle);
  }
  roof_line(svg, chart, *measured, "memory", memory_stroke, chart.memory->dashed);
  double x = (px(chart, measured->x0) + px(chart, measured->x1)) / 2;
  double y = (py(chart, measured->y0) + py(chart, measured->y1)) / 2;
  Type along{.anchor = "middle",
             .ink = Ink::accent,
             .turn = -angle * 180 / std::numbers::pi,
             .around_x = x,
             .around_y = y,
             .halo = true};
  if (chart.nominal) {
    svg.text("nominal caption", x, y - 9 - above, chart.nominal->caption, along);
    above += 16;
  }
  svg.text("memory caption", x, y - 9 - above, chart.memory->caption, along);
}

void svg_ridge(Svg& svg, const Chart& chart, const Ceiling& compute, const Segment& level, bool highest) {
  double x = px(chart, level.x0), y = py(chart, level.y0);
  if (highest) svg.line("drop", x, y, x, Frame::bottom, {Ink::dim, 1, "2 4"});
  svg.circle("ridge", x, y, highest ? 4.5 : 3.0, Ink::second, {Ink::none});
  if (!highest) return;
  bool far = x + 150 > Frame::right;
  svg.text("ridge caption", x, y - 10, ridge_text(chart, compute),
           {.anchor = far ? "end" : "start", .halo = true});
}

// Captions stand right of the plot, each near its line and apart from the others.
void svg_compute(Svg& svg, const Chart& chart) {
  double next = Frame::top - 10;
  for (const Ceiling& compute : chart.compute) {
    auto level = level_of(chart, compute);
    if (!level) continue;
    double y = py(chart, compute.log), beside = std::max(y, next);
    next = beside + 16;
    roof_line(svg, chart, *level, "compute", compute_stroke, compute.dashed);
    svg.path("leader", fmt::format("M{} {:.1f}L{} {:.1f}", Frame::right + 2, y, Frame::right + 14, beside),
             Ink::none, {Ink::dim});
    svg.text("compute caption", Frame::right + 18, beside + 4, compute.caption, {.ink = Ink::second});
    bool highest = &compute == &chart.compute.front();
    if (has_ridge(chart, *level)) svg_ridge(svg, chart, compute, *level, highest);
  }
}

// From the first of two points to the second, when there is room for it.
void svg_arrow(Svg& svg, const Chart& chart) {
  if (chart.marks.size() != 2) return;
  double x0 = px(chart, chart.marks[0].x), y0 = py(chart, chart.marks[0].y);
  double x1 = px(chart, chart.marks[1].x), y1 = py(chart, chart.marks[1].y),
         length = std::hypot(x1 - x0, y1 - y0);
  if (length < 16) return;
  double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  double tip_x = x1 - 7 * ux, tip_y = y1 - 7 * uy, end_x = tip_x - 8 * ux, end_y = tip_y - 8 * uy;
  svg.line("arrow", x0, y0, end_x, end_y, {Ink::text, 1.5});
  svg.path("arrow",
           fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z", tip_x, tip_y, end_x - 4 * uy,
                       end_y + 4 * ux, end_x + 4 * uy, end_y - 4 * ux),
           Ink::text, {Ink::none});
}

struct Label {  // of points so near to each other that one label must do
  double x, y;
  std::string text;
};

std::vector<Label> labels_of(const Chart& chart) {
  std::vector<Label> labels;
  for (const Mark& mark : chart.marks) {
    double x = px(chart, mark.x), y = py(chart, mark.y);
    std::string text = mark.letter + (mark.name.empty() ? "" : " " + fit(mark.name, 24));
    auto near = std::find_if(labels.begin(), labels.end(), [&](const Label& label) {
      return std::abs(label.x - x) < 170 && std::abs(label.y - y) < 15;
    });
    if (near == labels.end())
      labels.push_back({x, y, text});
    else
      near->text += ", " + text, near->x = std::max(near->x, x);
  }
  return labels;
}

// The first point is hollow: before and after differ without colour.
void svg_marks(Svg& svg, const Chart& chart) {
  svg_arrow(svg, chart);
  for (const Mark& mark : chart.marks) {
    bool first = &mark == &chart.marks.front();
    svg.circle("point", px(chart, mark.x), py(chart, mark.y), 5, first ? Ink::paper : Ink::text,
               {Ink::text, 2});
  }
  for (const Label& label : labels_of(chart)) {
    std::string text = fit(label.text, 56);
    double wide = 7.2 * static_cast<double>(display_width(text));
    double x = std::min(label.x + 10, Frame::right - wide - 4);
    double below = x < label.x + 10 ? 20 : 15;
    svg.text("label", x, label.y + (label.y > Frame::bottom - 22 ? -9 : below), text,
             {.bold = true, .halo = true});
  }
}

// A line of it, the head in bold.
struct Entry {
  std::string head, text;
};

std::vector<Entry> legend_of(const Chart& chart) {
  std::vector<Entry> entries;
  for (const Mark& mark : chart.marks)
    entries.push_back({mark.letter + " " + fit(mark.name, 48), mark.caption});
  for (const std::string& note : chart.notes) entries.push_back({"", note});
  auto dashed = [](const auto& c) { return c && c->dashed; };
  bool some = dashed(chart.nominal) || dashed(chart.memory);
  for (const auto* list : {&chart.compute, &chart.caches})
    for (const Ceiling& c : *list) some = some || c.dashed;
  if (some) entries.push_back({"", "dashed: a roof that was not measured"});
  return entries;
}

}  // namespace

std::string svg_picture(const Picture& picture, Svg::Look look) {
  Chart chart = chart_of(picture);
  std::vector<Entry> legend = legend_of(chart);
  int y = static_cast<int>(Frame::bottom) + 70, height = y + 20 * static_cast<int>(legend.size());
  Svg svg(look, 900, height, chart.title);
  svg.text("title", Frame::left, 32, fit_title(chart.title, 84), {.size = 17, .bold = true});
  svg_axes(svg, chart);
  svg_caches(svg, chart);
  svg_memory(svg, chart);
  svg_compute(svg, chart);
  svg_marks(svg, chart);
  for (const Entry& entry : legend) {
    svg.entry("legend", Frame::left, y, entry.head, entry.text);
    y += 20;
  }
  return svg.finish();
}

}  // namespace explog::diagnose
