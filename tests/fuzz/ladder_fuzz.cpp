#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "model/ladder.h"
#include "targets.h"

namespace explog::fuzz {

// A ladder that is accepted reads back as it was written; its rows say all that a kernel's head says.
void fuzz_ladder(std::string_view data) {
  try {
    std::vector<LadderRow> rows = parse_ladder(data);
    std::string written = to_json(rows);
    if (to_json(parse_ladder(written)) != written) broken("does not read back", written);
    for (const LadderRow& row : rows) {
      if (row.set.empty() || row.strategy.empty() || row.predicts.empty()) broken("a row without", written);
    }
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_ladder)
