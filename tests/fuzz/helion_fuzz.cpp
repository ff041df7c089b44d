#include "intake/helion.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_helion(std::string_view data) { drain(intake::helion, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_helion)
