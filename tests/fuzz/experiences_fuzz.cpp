#include "intake/experiences.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_experiences(std::string_view data) { drain(intake::experiences, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_experiences)
