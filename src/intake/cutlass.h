// CSV that cutlass_profiler writes: --output=FILE, or its printed results with the table behind them.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

// Throws Error(usage) when there is no table in it.
Source cutlass(const std::string& path, std::istream* in);
bool looks_like_cutlass(std::string_view head);

}  // namespace explog::intake
