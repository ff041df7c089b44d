#include "entry.h"
#include "model/json.h"
#include "model/strategy.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_strategy(std::string_view data) {
  try {
    parse_strategy("sample.md", data);
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_strategy)
