// Helion's autotuning log (HELION_AUTOTUNE_LOG): one row a configuration that was tried.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

// BASE.csv; where BASE.meta.jsonl lies beside it, kernel, shapes, types and GPU come from there. Throws Error(usage)
// when the columns are others.
Source helion(const std::string& path, std::istream* in);
bool looks_like_helion(std::string_view head);

}  // namespace explog::intake
