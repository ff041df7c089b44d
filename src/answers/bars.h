// Small pictures in text, for terminals: as wide as they are told.
#pragma once
#include <string>

namespace explog::answers {

// `share` (0 to 1) of `width` columns, to an eighth of a column.
std::string bar(double share, int width);
// [lo, hi] with `middle` on an axis from `from` to `to`, on which 1 is marked: "...|...--o--..".
std::string interval_bar(double lo, double middle, double hi, double from, double to, int width);

}  // namespace explog::answers
