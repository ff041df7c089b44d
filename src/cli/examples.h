// Command lines that show what a command is for; --help and the manual print them, a test parses them.
#pragma once
#include <string_view>
#include <vector>

namespace explog::cli {

std::vector<std::string_view> examples_of(std::string_view command);

}  // namespace explog::cli
