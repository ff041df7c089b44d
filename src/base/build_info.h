// Which source this program was built from.
#pragma once
#include <string_view>

namespace explog {

// The commit's first digits, "+" behind them where the tree had changes; "unknown" outside of a checkout. CMake writes it.
std::string_view build_commit();

}  // namespace explog
