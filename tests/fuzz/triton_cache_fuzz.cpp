#include "intake/triton.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_triton_cache(std::string_view data) { drain(intake::triton_cache, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_triton_cache)
