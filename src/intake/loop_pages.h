// Files of an experiment loop's folder, ours or kernel-opt-skill's, that hold no record by themselves.
#pragma once
#include <string_view>

namespace explog::intake {

// What such a file is, as its first bytes tell; empty for any other.
std::string_view loop_page(std::string_view head);

}  // namespace explog::intake
