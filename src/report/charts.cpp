#include "report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/date.h"
#include "base/text.h"
#include "report/axes.h"

namespace explog::report {
namespace {

constexpr int wide = 640;  // pixels; pages scale it

double above_zero(double value) { return value > 0 && std::isfinite(value) ? value : 0; }

std::string ms_text(double ms) { return short_number(ms, 4) + " ms"; }

// What is hidden when a list is too long to draw says so.
constexpr std::size_t most_rows = 40;

void add_vertical_grid(Svg& svg, const Scale& x, const std::vector<double>& at, double top, double bottom) {
  for (double value : at) {
    svg.line("grid", x(value), top, x(value), bottom, {Ink::grid});
    svg.text("tick", x(value), bottom + 16, tick_text(value),
             {.anchor = "middle", .size = 11, .ink = Ink::dim});
  }
}

Scale time_scale(const std::vector<Step>& steps, double from, double to) {
  double low = 1e300, high = 0;
  for (const Step& s : steps) {
    for (double ms : {s.from_ms, s.ms}) {
      if (above_zero(ms) == 0) continue;
      low = std::min(low, ms), high = std::max(high, ms);
    }
  }
  if (high == 0) return {0, 1, from, to, false};
  bool logarithmic = high > 8 * low;
  return {logarithmic ? low / 1.3 : 0, logarithmic ? high * 1.15 : high * 1.05, from, to, logarithmic};
}

Ink ink_of(const Step& s) {
  if (s.kept) return Ink::good;
  return s.ms > s.from_ms * 1.02 ? Ink::bad : Ink::dim;
}

void add_step(Svg& svg, const Scale& x, const Step& s, double y) {
  svg.text("label", 8, y + 4, ellipsis(printable(s.label), 30), {.size = 12, .bold = s.kept});
  if (s.ms <= 0) {
    svg.text("value", x(x.low) + 6, y + 4, s.no_time, {.size = 11, .ink = s.crashed ? Ink::bad : Ink::dim});
    return;
  }
  double from = x(s.from_ms > 0 ? s.from_ms : s.ms), to = x(s.ms);  // a baseline changed nothing: a point
  double left = std::min(from, to), width = std::max(std::abs(from - to), 2.0);
  svg.line("thread", x(x.low), y, x(x.high), y, {Ink::grid});
  svg.rect("bar", left, y - 6, width, 12, ink_of(s), s.kept ? 1 : 0.55, s.tip);
  svg.circle("now", to, y, 4, s.kept ? Ink::good : Ink::paper, {ink_of(s), 2}, s.tip);
  svg.text("value", wide - 8, y + 4, ms_text(s.ms), {.anchor = "end", .size = 11, .ink = ink_of(s)});
}

}  // namespace

std::string waterfall(const std::string& title, const std::vector<Step>& all) {
  std::vector<Step> steps(all.begin(), all.begin() + static_cast<long>(std::min(all.size(), most_rows)));
  double bottom = 26 + 24.0 * static_cast<double>(std::max<std::size_t>(steps.size(), 1));
  Svg svg(Svg::Look::page, wide, static_cast<int>(bottom) + 44, title);
  Scale x = time_scale(steps, 230, wide - 96);
  add_vertical_grid(svg, x, x.logarithmic ? log_ticks(x.low, x.high) : ticks(x.low, x.high, 5), 14, bottom);
  double y = 28;
  for (const Step& s : steps) {
    add_step(svg, x, s, y);
    y += 24;
  }
  std::string left_out =
      all.size() > steps.size() ? fmt::format("; {} more in the table", all.size() - steps.size()) : "";
  svg.text("axis", 230, bottom + 34,
           std::string("time of one call, ms") + (x.logarithmic ? ", logarithmic" : "") + left_out,
           {.size = 11, .ink = Ink::dim});
  return svg.finish();
}

namespace {

Scale factor_scale(const std::vector<Strip>& rows, double from, double to) {
  double low = 0.98, high = 1.02;
  for (const Strip& s : rows) {
    for (double v : {s.factor, s.lo, s.hi}) {
      if (above_zero(v) == 0) continue;
      low = std::min(low, v), high = std::max(high, v);
    }
  }
  return {std::max(low / 1.04, 1e-3), std::min(high * 1.04, 1e4), from, to, true};
}

std::vector<double> factor_ticks(const Scale& x) {
  auto list = log_ticks(x.low, x.high);
  return list.size() >= 3 ? list : ticks(x.low, x.high, 5);
}

Ink ink_of(const Strip& s) {
  if (s.lo > 1) return Ink::good;
  if (s.hi > 0 && s.hi < 1) return Ink::bad;
  if (s.lo > 0) return Ink::dim;
  return s.factor > 1.02 ? Ink::good : s.factor < 0.98 ? Ink::bad : Ink::dim;
}

void add_strip(Svg& svg, const Scale& x, const Strip& s, double y) {
  svg.text("label", 8, y + 4, ellipsis(printable(s.label), 34), {.size = 12});
  if (above_zero(s.factor) == 0) return;
  if (s.lo > 0 && s.hi > 0) {
    double left = x(s.lo), right = x(s.hi);
    svg.rect("interval", left, y - 5, std::max(right - left, 1.5), 10, ink_of(s), 0.45, s.tip);
  }
  svg.circle("factor", x(s.factor), y, 4, ink_of(s), no_edge, s.tip);
  svg.text("value", wide - 8, y + 4, fmt::format("{:.3f}x", s.factor),
           {.anchor = "end", .size = 11, .ink = ink_of(s)});
}

}  // namespace

std::string strips(const std::string& title, const std::vector<Strip>& all) {
  std::vector<Strip> rows(all.begin(), all.begin() + static_cast<long>(std::min(all.size(), most_rows)));
  double bottom = 26 + 22.0 * static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  Svg svg(Svg::Look::page, wide, static_cast<int>(bottom) + 44, title);
  Scale x = factor_scale(rows, 260, wide - 76);
  add_vertical_grid(svg, x, factor_ticks(x), 14, bottom);
  svg.line("one", x(1), 10, x(1), bottom, {Ink::text, 1.5});
  double y = 28;
  for (const Strip& s : rows) {
    add_strip(svg, x, s, y);
    y += 22;
  }
  svg.text("axis", 260, bottom + 34, "times as fast; left of 1 is slower, the bar is the 99% interval",
           {.size = 11, .ink = Ink::dim});
  return svg.finish();
}

namespace {

struct TrendFrame {
  static constexpr double left = 70, right = wide - 20, top = 20, bottom = 230;
};

void add_dates(Svg& svg, const Scale& x) {
  double days = (x.high - x.low) / 86400e3;
  for (int i = 0; i < 4; ++i) {
    double at = x.low + (x.high - x.low) * i / 3;
    std::string date = utc_text(static_cast<std::int64_t>(at));
    const char* anchor = i == 0 ? "start" : i == 3 ? "end" : "middle";
    svg.text("tick", x(at), TrendFrame::bottom + 18,
             days < 3 ? date.substr(5, 5) + " " + date.substr(11, 5) : date.substr(0, 10),
             {.anchor = anchor, .size = 11, .ink = Ink::dim});
  }
}

void add_band(Svg& svg, const Scale& x, const Scale& y, const std::vector<TrendPoint>& points) {
  std::string over, under, line;
  for (const TrendPoint& p : points) {
    double at = x(static_cast<double>(p.at_ms));
    over += fmt::format("{}{:.1f} {:.1f}", over.empty() ? "M" : "L", at, y(p.hi > 0 ? p.hi : p.ms));
    under = fmt::format("L{:.1f} {:.1f}", at, y(p.lo > 0 ? p.lo : p.ms)) + under;
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", at, y(p.ms));
  }
  svg.path("band", over + under + "z", Ink::accent, no_edge, 0.2);
  svg.path("line", line, Ink::none, {Ink::accent, 2});
}

}  // namespace

std::string trend(const std::string& title, const std::vector<TrendPoint>& all) {
  constexpr std::int64_t shortest = 60'000;  // ms: what came at once is drawn in its order
  std::vector<TrendPoint> points = all;
  bool in_order = !all.empty() && all.back().at_ms - all.front().at_ms < shortest;
  for (std::size_t i = 0; i < points.size() && in_order; ++i) points[i].at_ms = static_cast<std::int64_t>(i);
  Svg svg(Svg::Look::page, wide, 280, title);
  double low = 1e300, high = 0;
  for (const TrendPoint& p : points) {
    low = std::min(low, p.lo > 0 ? p.lo : p.ms);
    high = std::max({high, p.hi, p.ms});
  }
  if (points.empty() || high <= 0) return svg.text("none", 20, 40, "nothing was measured"), svg.finish();
  double room = std::max((high - low) * 0.1, high * 0.01);
  Scale y{std::max(0.0, low - room), high + room, TrendFrame::bottom, TrendFrame::top};
  auto first = static_cast<double>(points.front().at_ms), last = static_cast<double>(points.back().at_ms);
  Scale x{first, std::max(last, first + 1), TrendFrame::left, TrendFrame::right};
  for (double value : ticks(y.low, y.high, 5)) {
    svg.line("grid", TrendFrame::left, y(value), TrendFrame::right, y(value), {Ink::grid});
    svg.text("tick", TrendFrame::left - 8, y(value) + 4, tick_text(value),
             {.anchor = "end", .size = 11, .ink = Ink::dim});
  }
  if (!in_order) add_dates(svg, x);
  add_band(svg, x, y, points);
  for (const TrendPoint& p : points)
    svg.circle("point", x(static_cast<double>(p.at_ms)), y(p.ms), points.size() > 80 ? 2 : 3.5, Ink::accent,
               no_edge, p.tip);
  svg.text("axis", TrendFrame::left, 266,
           std::string(in_order ? "in the order of the records: " : "") +
               "time of one call, ms; lower is better, the band is the 99% interval",
           {.size = 11, .ink = Ink::dim});
  return svg.finish();
}

std::string sparkline(const std::string& title, const std::vector<double>& values) {
  Svg svg(Svg::Look::page, 120, 24, title);
  if (values.empty()) return svg.finish();
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  Scale y{*low, *high > *low ? *high : *low + 1, 20, 4};
  Scale x{0, std::max<double>(static_cast<double>(values.size() - 1), 1), 4, 112};
  std::string line;
  for (std::size_t i = 0; i < values.size(); ++i)
    line += fmt::format("{}{:.0f} {:.0f}", i == 0 ? "M" : "L", x(static_cast<double>(i)), y(values[i]));
  if (values.size() > 1) svg.path("line", line, Ink::none, {Ink::accent, 1.5});
  svg.circle("now", x(static_cast<double>(values.size() - 1)), y(values.back()), 2.5, Ink::accent, no_edge);
  return svg.finish();
}

}  // namespace explog::report
