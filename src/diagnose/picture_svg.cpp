#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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

// `text`, printable, for an element's content. XML 1.0 has no way to write U+FFFE and U+FFFF.
std::string xml(std::string text) {
  for (auto [from, to] : {std::pair("&", "&amp;"),
                          {"<", "&lt;"},
                          {">", "&gt;"},
                          {"\"", "&quot;"},
                          {"'", "&apos;"},
                          {"\xEF\xBF\xBE", "\\u{fffe}"},
                          {"\xEF\xBF\xBF", "\\u{ffff}"}})
    text = replace_all(std::move(text), from, to);
  return text;
}

std::string line_element(std::string_view kind, double x0, double y0, double x1, double y1,
                         std::string_view style) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
                     kind, x0, y0, x1, y1, style);
}

std::string text_element(std::string_view kind, double x, double y, std::string_view style,
                         const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", kind, x, y, style,
                     xml(text));
}

// With a white edge, so that lines below do not cut through it. SVG 1.1 always draws the edge last, hence
// twice.
std::string halo_text(std::string_view kind, double x, double y, const std::string& style,
                      const std::string& text) {
  return text_element("halo", x, y, style + " stroke=\"#fff\" stroke-width=\"4\" stroke-linejoin=\"round\"",
                      text) +
         text_element(kind, x, y, style, text);
}

std::string svg_axes(const Chart& chart) {
  constexpr const char* grid = "stroke=\"#ddd\"";
  std::string out, minor;
  bool few = chart.x.high - chart.x.low <= 8 && chart.y.high - chart.y.low <= 8;
  for (int k = chart.x.low; k <= chart.x.high; ++k) {
    out += line_element("x grid", px(chart, k), Frame::top, px(chart, k), Frame::bottom, grid);
    out +=
        text_element("x tick", px(chart, k), Frame::bottom + 20, "text-anchor=\"middle\"", intensity_tick(k));
    for (int i = 2; i < 10 && k < chart.x.high && few; ++i)
      minor += fmt::format("M{:.1f} {:.1f}v5", px(chart, k + std::log10(i)), Frame::bottom);
  }
  for (int k = chart.y.low; k <= chart.y.high; ++k) {
    out += line_element("y grid", Frame::left, py(chart, k), Frame::right, py(chart, k), grid);
    out += text_element("y tick", Frame::left - 10, py(chart, k) + 4, "text-anchor=\"end\"", rate_tick(k));
    for (int i = 2; i < 10 && k < chart.y.high && few; ++i)
      minor += fmt::format("M{:.1f} {:.1f}h-5", Frame::left, py(chart, k + std::log10(i)));
  }
  out += fmt::format("<path d=\"{}\" stroke=\"#888\" fill=\"none\"/>\n", minor);
  out += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" stroke=\"#222\" fill=\"none\"/>\n", Frame::left,
                     Frame::top, Frame::bottom, Frame::right);
  double middle = (Frame::top + Frame::bottom) / 2;
  out += text_element("axis", (Frame::left + Frame::right) / 2, Frame::bottom + 42, "text-anchor=\"middle\"",
                      "arithmetic intensity (FLOP/byte)");
  return out + text_element("axis", 24, middle,
                            fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 24 {})\"", middle),
                            "performance (FLOP/s)");
}

std::string roof_line(const Chart& chart, const Segment& s, std::string_view kind, const char* colour,
                      bool dashed) {
  std::string style = fmt::format("stroke=\"{}\" stroke-width=\"2.5\"", colour);
  if (dashed) style += " stroke-dasharray=\"7 5\"";
  return line_element(kind, px(chart, s.x0), py(chart, s.y0), px(chart, s.x1), py(chart, s.y1), style);
}

constexpr const char* memory_colour = "#1b4f91";
constexpr const char* compute_colour = "#7a2e0e";

// Captions run along the slope, above the upper line: points are below.
std::string svg_memory(const Chart& chart) {
  auto measured = chart.memory ? slope_of(chart, *chart.memory) : std::nullopt;
  if (!measured) return "";
  std::string out;
  double rise = py(chart, measured->y0) - py(chart, measured->y1), above = 0;
  double angle = std::atan2(rise, px(chart, measured->x1) - px(chart, measured->x0));
  if (auto nominal = chart.nominal ? slope_of(chart, *chart.nominal) : std::nullopt) {
    out += roof_line(chart, *nominal, "nominal memory", memory_colour, true);
    double decades = std::max(0.0, chart.nominal->log - chart.memory->log);
    above = decades * rise / (measured->y1 - measured->y0) * std::cos(angle);
  }
  out += roof_line(chart, *measured, "memory", memory_colour, chart.memory->dashed);
  double x = (px(chart, measured->x0) + px(chart, measured->x1)) / 2;
  double y = (py(chart, measured->y0) + py(chart, measured->y1)) / 2;
  std::string style =
      fmt::format("text-anchor=\"middle\" fill=\"{}\" transform=\"rotate({:.2f} {:.1f} {:.1f})\"",
                  memory_colour, -angle * 180 / std::numbers::pi, x, y);
  if (chart.nominal) {
    out += halo_text("nominal caption", x, y - 9 - above, style, chart.nominal->caption);
    above += 16;
  }
  return out + halo_text("memory caption", x, y - 9 - above, style, chart.memory->caption);
}

std::string svg_ridge(const Chart& chart, const Ceiling& compute, const Segment& level, bool highest) {
  double x = px(chart, level.x0), y = py(chart, level.y0);
  std::string out;
  if (highest) out = line_element("drop", x, y, x, Frame::bottom, "stroke=\"#888\" stroke-dasharray=\"2 4\"");
  out += fmt::format("<circle class=\"ridge\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y,
                     highest ? 4.5 : 3.0, compute_colour);
  if (!highest) return out;
  bool far = x + 150 > Frame::right;
  return out + halo_text("ridge caption", x, y - 10, far ? "text-anchor=\"end\"" : "text-anchor=\"start\"",
                         ridge_text(chart, compute));
}

// Captions stand right of the plot, each near its line and apart from the others.
std::string svg_compute(const Chart& chart) {
  std::string out;
  double next = Frame::top - 10;
  for (const Ceiling& compute : chart.compute) {
    auto level = level_of(chart, compute);
    if (!level) continue;
    double y = py(chart, compute.log), beside = std::max(y, next);
    next = beside + 16;
    out += roof_line(chart, *level, "compute", compute_colour, compute.dashed);
    out += fmt::format("<path d=\"M{} {:.1f}L{} {:.1f}\" stroke=\"#888\" fill=\"none\"/>\n", Frame::right + 2,
                       y, Frame::right + 14, beside);
    out += text_element("compute caption", Frame::right + 18, beside + 4,
                        fmt::format("fill=\"{}\"", compute_colour), compute.caption);
    bool highest = &compute == &chart.compute.front();
    if (has_ridge(chart, *level)) out += svg_ridge(chart, compute, *level, highest);
  }
  return out;
}

// From the first of two points to the second, when there is room for it.
std::string svg_arrow(const Chart& chart) {
  if (chart.marks.size() != 2) return "";
  double x0 = px(chart, chart.marks[0].x), y0 = py(chart, chart.marks[0].y);
  double x1 = px(chart, chart.marks[1].x), y1 = py(chart, chart.marks[1].y),
         length = std::hypot(x1 - x0, y1 - y0);
  if (length < 16) return "";
  double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  double tip_x = x1 - 7 * ux, tip_y = y1 - 7 * uy, end_x = tip_x - 8 * ux, end_y = tip_y - 8 * uy;
  return line_element("arrow", x0, y0, end_x, end_y, "stroke=\"#111\" stroke-width=\"1.5\"") +
         fmt::format(
             "<path class=\"arrow\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\" fill=\"#111\"/>\n",
             tip_x, tip_y, end_x - 4 * uy, end_y + 4 * ux, end_x + 4 * uy, end_y - 4 * ux);
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
std::string svg_marks(const Chart& chart) {
  std::string out = svg_arrow(chart);
  for (const Mark& mark : chart.marks) {
    out += fmt::format(
        "<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\" stroke=\"#111\" "
        "stroke-width=\"2\"/>\n",
        px(chart, mark.x), py(chart, mark.y), &mark == &chart.marks.front() ? "#fff" : "#111");
  }
  for (const Label& label : labels_of(chart)) {
    std::string text = fit(label.text, 56);
    double wide = 7.2 * static_cast<double>(display_width(text));
    double x = std::min(label.x + 10, Frame::right - wide - 4);
    double below = x < label.x + 10 ? 20 : 15;
    out += halo_text("label", x, label.y + (label.y > Frame::bottom - 22 ? -9 : below),
                     "font-weight=\"bold\"", text);
  }
  return out;
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
  for (const Ceiling& c : chart.compute) some = some || c.dashed;
  if (some) entries.push_back({"", "dashed: a roof that was not measured"});
  return entries;
}

}  // namespace

std::string svg_picture(const Picture& picture) {
  Chart chart = chart_of(picture);
  constexpr int width = 900;
  std::vector<Entry> legend = legend_of(chart);
  int y = static_cast<int>(Frame::bottom) + 70, height = y + 20 * static_cast<int>(legend.size());
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
      "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height, xml(chart.title));
  out +=
      text_element("title", Frame::left, 32, "font-size=\"17\" font-weight=\"bold\"", fit(chart.title, 84));
  out += svg_axes(chart) + svg_memory(chart) + svg_compute(chart) + svg_marks(chart);
  for (const Entry& entry : legend) {
    out += fmt::format("<text class=\"legend\" x=\"{}\" y=\"{}\">", Frame::left, y);
    if (!entry.head.empty()) out += fmt::format("<tspan font-weight=\"bold\">{}:</tspan> ", xml(entry.head));
    out += xml(entry.text) + "</text>\n";
    y += 20;
  }
  return out + "</svg>\n";
}

}  // namespace explog::diagnose
