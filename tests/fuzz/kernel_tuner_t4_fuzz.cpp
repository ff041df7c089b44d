#include "intake/kernel_tuner_t4.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_kernel_tuner_t4(std::string_view data) { drain(intake::kernel_tuner_t4, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_kernel_tuner_t4)
