// What differs between two texts, line by line.
#pragma once
#include <string>
#include <string_view>

namespace explog::campaign {

// As `diff -u` writes it, with three lines around each change; empty for equal texts. Names stand in its first two lines.
// Of files with a zero byte in them one line says that they differ.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& name_before,
                         const std::string& name_after);

}  // namespace explog::campaign
