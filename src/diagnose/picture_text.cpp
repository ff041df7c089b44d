#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "diagnose/picture_chart.h"

namespace explog::diagnose {
namespace {

struct Glyphs {
  std::vector<std::string> slope;  // by height in the line, the lowest first
  std::string slope_key, level, nominal, ridge, upright, base, corner, tick;
};
const Glyphs& glyphs(bool unicode) {
  static const Glyphs ascii{{"/"}, "/", "-", ".", "+", "|", "-", "+", "+"};
  static const Glyphs box{{"⎽", "⎼", "─", "⎻", "⎺"}, "╱", "─", "·", "◆", "│", "─", "└", "┴"};
  return unicode ? box : ascii;
}

struct Canvas {
  static constexpr int rows = 13;
  int columns;
  std::vector<std::vector<std::string>> cells{rows, std::vector<std::string>(std::size_t(columns), " ")};
  std::string& cell(int row, int column) { return cells[std::size_t(row)][std::size_t(column)]; }
};

// Rows from the top, with the fraction that rounding drops.
double row_at(const Chart& chart, double y) { return (1 - chart.y.share(y)) * (Canvas::rows - 1); }
int row_of(const Chart& chart, double y) { return static_cast<int>(std::lround(row_at(chart, y))); }
int column_of(const Canvas& canvas, const Chart& chart, double x) {
  return static_cast<int>(std::lround(chart.x.share(x) * (canvas.columns - 1)));
}

void draw(Canvas& canvas, const Chart& chart, const Segment& s, const std::vector<std::string>& by_height,
          bool dashed) {
  auto heights = static_cast<double>(by_height.size());
  for (int column = 0; column < canvas.columns; column += dashed ? 2 : 1) {
    double x = chart.x.at(column / (canvas.columns - 1.0));
    if (x < s.x0 || x > s.x1) continue;
    double row = row_at(chart, s.y0 + (s.y1 - s.y0) * (x - s.x0) / (s.x1 - s.x0));
    double height = std::clamp((std::round(row) + 0.5 - row) * heights, 0.0, heights - 1);
    canvas.cell(static_cast<int>(std::round(row)), column) = by_height[std::size_t(height)];
  }
}

void draw_roofs(Canvas& canvas, const Chart& chart, const Glyphs& g) {
  auto slope = [&](const std::optional<Ceiling>& memory, const std::vector<std::string>& by_height,
                   bool dashed) {
    auto s = memory ? slope_of(chart, *memory) : std::nullopt;
    if (s) draw(canvas, chart, *s, by_height, dashed);
  };
  slope(chart.nominal, {g.nominal}, false);
  slope(chart.memory, g.slope, chart.memory && chart.memory->dashed);
  for (const Ceiling& compute : chart.compute) {
    auto level = level_of(chart, compute);
    if (!level) continue;
    draw(canvas, chart, *level, {g.level}, compute.dashed);
    if (has_ridge(chart, *level))
      canvas.cell(row_of(chart, level->y0), column_of(canvas, chart, level->x0)) = g.ridge;
  }
}

// Letters that want the same cell stand side by side.
void draw_marks(Canvas& canvas, const Chart& chart) {
  std::vector<std::pair<int, int>> taken;
  for (const Mark& mark : chart.marks) {
    std::pair place(row_of(chart, mark.y), column_of(canvas, chart, mark.x));
    bool room = place.second + static_cast<int>(chart.marks.size()) < canvas.columns;
    while (std::find(taken.begin(), taken.end(), place) != taken.end()) place.second += room ? 1 : -1;
    if (place.second < 0 || place.second >= canvas.columns) continue;
    taken.push_back(place);
    canvas.cell(place.first, place.second) = mark.letter;
  }
}

// What stands left and right of each row.
struct Margins {
  std::vector<std::string> left, right;
};
Margins margins_of(const Chart& chart) {
  Margins margins{std::vector<std::string>(Canvas::rows), std::vector<std::string>(Canvas::rows)};
  int step = (chart.y.high - chart.y.low + 6) / 7;
  for (int k = chart.y.low; k <= chart.y.high; k += step)
    margins.left[std::size_t(row_of(chart, k))] = rate_tick(k);
  for (const Ceiling& compute : chart.compute) {
    if (!level_of(chart, compute)) continue;
    std::string& label = margins.right[std::size_t(row_of(chart, compute.log))];
    label = fit(label + (label.empty() ? " " : ", ") + compute.name, 24);
  }
  return margins;
}

// The x axis and, below it, its figures.
std::string axis_lines(const Canvas& canvas, const Chart& chart, const Glyphs& g) {
  std::vector<std::string> line(std::size_t(canvas.columns), g.base);
  std::string figures(line.size() + 8, ' ');
  std::size_t free = 0;
  for (int k = chart.x.low; k <= chart.x.high; ++k) {
    auto column = std::size_t(column_of(canvas, chart, k));
    std::string label = intensity_tick(k);
    std::size_t start = column + 3 - label.size() / 2;
    if (k > chart.x.low) line[column] = g.tick;
    if (start < free) continue;
    figures.replace(start, label.size(), label);
    free = start + label.size() + 1;
  }
  figures.erase(figures.find_last_not_of(' ') + 1);
  return fmt::format("{:6} {}{}\n     {} FLOP/byte\n", "", g.corner, join(line, ""), figures);
}

std::string text_legend(const Chart& chart, std::size_t width, const Glyphs& g) {
  std::string out;
  auto line = [&](const std::string& key, const std::string& text) { out += key + "  " + text + "\n"; };
  auto roof = [&](const std::string& key, const Ceiling& c, const std::string& more) {
    line(c.dashed && key != g.nominal ? key + " " + key : key, c.caption + more);
  };
  if (chart.memory) roof(g.slope_key, *chart.memory, "");
  if (chart.nominal) roof(g.nominal, *chart.nominal, "");
  for (const Ceiling& c : chart.compute) roof(g.level, c, chart.memory ? ", " + ridge_text(chart, c) : "");
  for (const std::string& note : chart.notes) line(" ", note);
  for (const Mark& mark : chart.marks) {
    std::size_t used = display_width(mark.caption) + 5;
    line(mark.letter,
         fit(mark.name, std::max<std::size_t>(width > used ? width - used : 0, 12)) + "  " + mark.caption);
  }
  return out;
}

std::string ascii_only(const std::string& text) {
  std::string out;
  for (char c : text) {
    bool continues = (c & 0xC0) == 0x80;
    if (!continues) out += (c & 0x80) ? '?' : c;
  }
  return out;
}

}  // namespace

std::string text_picture(const Picture& picture, int width, bool unicode) {
  width = std::clamp(width, 40, 200);
  auto columns = std::size_t(width);
  const Glyphs& g = glyphs(unicode);
  Chart chart = chart_of(picture);
  Margins margins = margins_of(chart);
  std::size_t right = 12;  // for FLOP/byte
  for (const std::string& label : margins.right) right = std::max(right, display_width(label));
  Canvas canvas{width - 8 - static_cast<int>(right)};
  draw_roofs(canvas, chart, g);
  draw_marks(canvas, chart);
  std::string out = chart.title.empty() ? "" : fit_title(chart.title, columns) + "\n";
  out += "FLOP/s\n";
  for (std::size_t r = 0; r < canvas.cells.size(); ++r) {
    std::string line = fmt::format("{:>6} {}", margins.left[r], g.upright);
    line += join(canvas.cells[r], "") + margins.right[r];
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  out += axis_lines(canvas, chart, g) + text_legend(chart, columns, g);
  return unicode ? out : ascii_only(out);
}

}  // namespace explog::diagnose
