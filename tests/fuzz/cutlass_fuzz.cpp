#include "intake/cutlass.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_cutlass(std::string_view data) { drain(intake::cutlass, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_cutlass)
