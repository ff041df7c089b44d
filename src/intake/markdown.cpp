#include "intake/markdown.h"

#include "base/text.h"

namespace explog::intake {

std::vector<std::string> table_cells(std::string_view line) {
  if (line.starts_with('|')) line.remove_prefix(1);
  std::vector<std::string> cells(1);
  for (size_t i = 0; i < line.size(); ++i) {
    bool escaped = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|';
    if (escaped) {
      cells.back() += line[++i];
    } else if (line[i] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  if (trim(cells.back()).empty() && cells.size() > 1) cells.pop_back();
  for (std::string& cell : cells) cell = std::string(trim(cell));
  return cells;
}

}  // namespace explog::intake
