#include "intake/nvbench.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_nvbench(std::string_view data) { drain(intake::nvbench, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_nvbench)
