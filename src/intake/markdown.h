// Tables in Markdown.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::intake {

// Cells of "| a | b |", where "\|" is a bar of the text; a line without bars is one cell.
std::vector<std::string> table_cells(std::string_view line);

}  // namespace explog::intake
