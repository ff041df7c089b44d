// The steps of a kernel family that are another file of it under other constants: ladder.json beside task.json.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/space.h"

namespace explog {

constexpr int ladder_format = 1;  // of ladder.json

struct LadderRow {
  std::string step;  // "tall_tile.cu": its name in records, as if it were a file
  std::string file;  // the source beside ladder.json that it configures
  Settings set;      // macros of that source and their whole numbers, in the order they are defined
  std::string after, strategy, predicts;  // as in the head of a file
};

// Reads ladder.json. Throws JsonError naming the step and the key: unknown or missing keys, wrong types, a step
// that occurs twice or that another one configures.
std::vector<LadderRow> parse_ladder(std::string_view json);
std::string to_json(const std::vector<LadderRow>& rows);  // parse_ladder(to_json(r)) gives r again

}  // namespace explog
