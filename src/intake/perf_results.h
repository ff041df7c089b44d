// perf_results.md of the TileGym optimisation loop: a Markdown table of iterations.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

Source perf_results(const std::string& path, std::istream* in);
bool looks_like_perf_results(std::string_view head);

}  // namespace explog::intake
