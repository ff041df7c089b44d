#include "intake/kernel_tuner.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_kernel_tuner(std::string_view data) { drain(intake::kernel_tuner, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_kernel_tuner)
