#include "intake/triton.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_triton_log(std::string_view data) { drain(intake::triton_log, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_triton_log)
