// The roofline of a machine and where kernels are under it, drawn: as text for a terminal, as SVG for a
// report. Williams, Waterman, Patterson, CACM 52(4), 2009.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/svg.h"
#include "diagnose/peaks.h"

namespace explog::diagnose {

struct PicturePoint {
  std::string name;
  double intensity = 0;   // FLOP a byte; 0: a kernel without arithmetic, drawn at the left edge
  double flops_rate = 0;  // FLOP/s
};

struct Picture {
  std::string title;                                  // "softmax_kernel on NVIDIA H200"
  Peak memory;                                        // byte/s
  std::vector<std::pair<std::string, Peak>> compute;  // "fp32", "tf32 tensor" and FLOP/s
  std::optional<Peak> memory_nominal;  // of the data sheet, when `memory` is measured: drawn dashed
  std::vector<PicturePoint> points;    // before, after
  std::vector<std::pair<std::string, Peak>> caches = {};  // "L2", "L1" and byte/s: drawn in SVG only
};

// A point's share of its roof is flops_rate / min(highest compute roof, memory * intensity): lower compute
// roofs are ceilings inside. A roof whose source is not "measured" is dashed. Points and roofs that are
// negative, infinite or NaN are left out. Names and sources are made printable. The same picture gives the
// same bytes.

// `width` (40 to 200) columns; 16 lines between title and legend. ASCII, other characters as '?', unless
// `unicode`.
std::string text_picture(const Picture& picture, int width, bool unicode);
// An SVG without scripts, style sheets, ids or references: a document of its own, or for a page (base/svg.h).
std::string svg_picture(const Picture& picture, Svg::Look look = Svg::Look::file);

}  // namespace explog::diagnose
