#include "diagnose/picture_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace explog::diagnose {
namespace {

constexpr auto prefixes = std::to_array<const char*>({"", "k", "M", "G", "T", "P", "E", "Z", "Y"});

std::string figure(double value, std::string_view unit) {
  std::size_t i = 0;
  for (bool named = value < 1e27; named && value >= 999.5 && i + 1 < prefixes.size(); ++i) value /= 1000;
  return fmt::format("{} {}{}", short_number(value), prefixes[i], unit);
}

std::optional<Ceiling> ceiling(const std::string& name, const Peak& peak, std::string_view unit) {
  if (!std::isfinite(peak.value) || peak.value <= 0) return std::nullopt;
  std::string shown = fit(printable(name), 16), source = fit(printable(peak.source), 16);
  std::string caption = shown + " " + figure(peak.value, unit) + (source.empty() ? "" : " (" + source + ")");
  return Ceiling{shown, caption, peak.value, std::log10(peak.value), !peak.source.starts_with("measured")};
}

// Percent of the roof over the point, when there is one.
std::optional<double> percent(const Chart& chart, const PicturePoint& point) {
  double roof = std::numeric_limits<double>::infinity();
  if (!chart.compute.empty()) roof = chart.compute.front().value;
  if (chart.memory) roof = std::min(roof, chart.memory->value * point.intensity);
  double result = 100 * (point.flops_rate / roof);
  bool told = point.intensity > 0 && std::isfinite(roof) && std::isfinite(result);
  return told ? std::optional(result) : std::nullopt;
}

std::string describe(const Chart& chart, const PicturePoint& point) {
  std::string rate = figure(point.flops_rate, "FLOP/s");
  if (point.intensity <= 0)
    return "no arithmetic, drawn at the left edge" + (point.flops_rate > 0 ? ", " + rate : "");
  std::string text = short_number(point.intensity) + " FLOP/byte, " + rate;
  if (auto share = percent(chart, point)) text += ", " + short_number(*share, 2) + "% of the roof there";
  return text;
}

std::string letter(std::size_t i) {
  return std::string(1, i < 26 ? static_cast<char>('A' + i) : i < 52 ? static_cast<char>('a' + i - 26) : '#');
}

void add_mark(Chart& chart, const PicturePoint& point) {
  bool drawable = std::isfinite(point.intensity) && std::isfinite(point.flops_rate);
  if (!drawable || point.intensity < 0 || point.flops_rate < 0) return;
  chart.marks.push_back({std::log10(point.intensity), std::log10(point.flops_rate),
                         letter(chart.marks.size()), printable(point.name), describe(chart, point)});
}

// At least `decades` whole ones around the finite ones of `logs`, between `least` and `most`.
Axis axis_over(std::vector<double> logs, int decades, int least, int most, Axis fallback) {
  constexpr double margin = 0.15;
  std::erase_if(logs, [](double log) { return !std::isfinite(log); });
  if (logs.empty()) return fallback;
  auto [low, high] = std::minmax_element(logs.begin(), logs.end());
  Axis axis{};
  axis.low = static_cast<int>(std::clamp(std::floor(*low - margin), double(least), double(most - decades)));
  axis.high =
      static_cast<int>(std::clamp(std::ceil(*high + margin), double(axis.low + decades), double(most)));
  return axis;
}

void set_axes(Chart& chart) {
  std::vector<double> x, y;
  for (const Ceiling& c : chart.compute) {
    y.push_back(c.log);
    if (!chart.memory) continue;
    for (double around : {-1.0, 0.7}) x.push_back(c.log - chart.memory->log + around);
  }
  for (const Mark& mark : chart.marks) {
    x.push_back(mark.x);
    y.push_back(mark.y);
  }
  chart.x = axis_over(x, 3, -6, 9, chart.x);
  // The whole slope, also where no compute roof ends it.
  if (chart.memory) y.push_back(chart.memory->log + chart.x.low + 0.15);
  if (chart.memory && chart.compute.empty()) y.push_back(chart.memory->log + chart.x.high - 0.15);
  chart.y = axis_over(y, 2, 0, 24, chart.y);
}

}  // namespace

std::string rate_tick(int decade) {
  constexpr auto digits = std::to_array<const char*>({"1", "10", "100"});
  auto k = std::size_t(decade);
  return std::string(trim(fmt::format("{} {}", digits[k % 3], prefixes[k / 3])));
}

std::string intensity_tick(int decade) {
  return decade < -3 || decade > 4 ? fmt::format("1e{}", decade) : number_text(std::pow(10, decade));
}

std::string fit(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  return replace_all(ellipsis(text, width - 2).append("\n"), "…\n", "...");
}

std::string fit_title(const std::string& title, std::size_t width) {
  std::size_t on = title.rfind(" on ");
  std::string machine = on == std::string::npos ? "" : title.substr(on), name = title.substr(0, on);
  if (display_width(title) <= width || 2 * display_width(machine) > width) return fit(title, width);
  std::size_t arguments = name.ends_with(')') ? name.rfind('(') : 0;
  if (arguments != std::string::npos && arguments > 0) name.erase(arguments);
  return fit(name, width - display_width(machine)) + machine;
}

Chart chart_of(const Picture& picture) {
  Chart chart;
  chart.title = printable(picture.title);
  chart.memory = ceiling("memory", picture.memory, "B/s");
  if (picture.memory_nominal) chart.nominal = ceiling("nominal", *picture.memory_nominal, "B/s");
  if (chart.nominal) chart.nominal->dashed = true;
  if (!chart.memory) std::swap(chart.memory, chart.nominal);
  for (const auto& [name, peak] : picture.compute) {
    if (auto c = ceiling(name, peak, "FLOP/s")) chart.compute.push_back(*c);
  }
  for (const auto& [name, peak] : picture.caches) {
    if (auto c = ceiling(name, peak, "B/s")) chart.caches.push_back(*c);
  }
  std::stable_sort(chart.compute.begin(), chart.compute.end(),
                   [](const Ceiling& a, const Ceiling& b) { return a.value > b.value; });
  if (!chart.memory) chart.notes.emplace_back("the memory's bandwidth is not known");
  if (chart.compute.empty()) chart.notes.emplace_back("no compute roof is known");
  for (const PicturePoint& point : picture.points) add_mark(chart, point);
  bool above = std::any_of(picture.points.begin(), picture.points.end(), [&](const PicturePoint& point) {
    return percent(chart, point).value_or(0) >= 100.5;  // what prints as 101
  });
  if (above) chart.notes.emplace_back("above 100%: the peaks are not this machine's");
  set_axes(chart);
  return chart;
}

std::optional<Segment> slope_of(const Chart& chart, const Ceiling& memory) {
  double top = chart.y.high;
  if (!chart.compute.empty()) top = std::min(top, chart.compute.front().log);
  double from = std::max<double>(chart.x.low, chart.y.low - memory.log);
  double to = std::min<double>(chart.x.high, top - memory.log);
  return from < to ? std::optional(Segment{from, from + memory.log, to, to + memory.log}) : std::nullopt;
}

std::optional<Segment> level_of(const Chart& chart, const Ceiling& compute) {
  double from = chart.x.low, y = compute.log;
  if (chart.memory) from = std::max(from, y - chart.memory->log);
  bool seen = from < chart.x.high && y >= chart.y.low && y <= chart.y.high;
  return seen ? std::optional(Segment{from, y, static_cast<double>(chart.x.high), y}) : std::nullopt;
}

bool has_ridge(const Chart& chart, const Segment& level) { return chart.memory && level.x0 > chart.x.low; }

std::string ridge_text(const Chart& chart, const Ceiling& compute) {
  return "ridge at " + short_number(compute.value / chart.memory->value) + " FLOP/byte";
}

}  // namespace explog::diagnose
