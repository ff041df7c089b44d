// A version in the folder of kernel-opt-skill's loop, vN/ncu_summary.md: against the fastest right one before it.
#pragma once
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

Source loop_version(const std::string& path, std::istream* in);
bool looks_like_loop_version(std::string_view head);

}  // namespace explog::intake
