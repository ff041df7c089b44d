#include "entry.h"
#include "intake/source_facts.h"
#include "targets.h"

namespace explog::fuzz {

// A user's own file: any bytes, and whatever is found must be bounded.
void fuzz_source(std::string_view data) {
  intake::SourceFacts facts = intake::read_source(data);
  if (facts.knobs.size() > 64 || facts.kernels.size() > 64) __builtin_trap();
  intake::state_of(facts);
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_source)
