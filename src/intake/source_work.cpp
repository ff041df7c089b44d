#include "intake/source_work.h"

#include <re2/re2.h>

#include <set>

namespace explog::intake {

bool exchanges_indices(const std::string& code) {
  static const RE2 moved(
      R"(\[\s*(\w+)\s*\*\s*\w+\s*\+\s*(\w+)\s*\]\s*=\s*\w+\[\s*(\w+)\s*\*\s*\w+\s*\+\s*(\w+)\s*\])");
  static const RE2 put(R"((\w+\[)([^\[\]]+)\]\[([^\[\]]+)\]\s*=[^=])"),
      taken(R"(=\s*(\w+\[)([^\[\]]+)\]\[([^\[\]]+)\])");
  std::string to_row, to_column, row, column, to, from;
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, moved, &to_row, &to_column, &row, &column);) {
    if (to_row == column && to_column == row) return true;
  }
  std::set<std::string> exchanged;
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, put, &to, &row, &column);)
    exchanged.insert(to + column + "][" + row);
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, taken, &from, &row, &column);) {
    if (row != column && exchanged.contains(from + row + "][" + column)) return true;
  }
  return false;
}

}  // namespace explog::intake
