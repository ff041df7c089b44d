// What the text and the SVG of a roofline picture share: roofs, points and axes, in decimal logarithms.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/picture.h"

namespace explog::diagnose {

struct Axis {  // whole decades
  int low, high;
  double share(double log) const { return std::clamp((log - low) / (high - low), 0.0, 1.0); }
  double at(double share) const { return low + share * (high - low); }
};

struct Ceiling {
  std::string name, caption;
  double value, log;
  bool dashed;
};

struct Mark {
  double x, y;  // -infinity at the edge
  std::string letter, name, caption;
};

struct Segment {
  double x0, y0, x1, y1;
};

struct Chart {
  std::string title;
  std::optional<Ceiling> memory, nominal;
  std::vector<Ceiling> compute;  // the highest first
  std::vector<Ceiling> caches;
  std::vector<Mark> marks;
  std::vector<std::string> notes;
  Axis x{-2, 3}, y{9, 14};
};

std::string rate_tick(int decade);
std::string intensity_tick(int decade);
// `text` cut to `width` columns; base's ellipsis is not ASCII.
std::string fit(const std::string& text, std::size_t width);
// "NAME on MACHINE": of a name that is too long the arguments give way, and then its end, but not the machine.
std::string fit_title(const std::string& title, std::size_t width);
Chart chart_of(const Picture& picture);
// The visible part of a memory roof, up to the highest compute roof.
std::optional<Segment> slope_of(const Chart& chart, const Ceiling& memory);
// The part of a compute roof right of its ridge.
std::optional<Segment> level_of(const Chart& chart, const Ceiling& compute);
bool has_ridge(const Chart& chart, const Segment& level);
std::string ridge_text(const Chart& chart, const Ceiling& compute);

}  // namespace explog::diagnose
