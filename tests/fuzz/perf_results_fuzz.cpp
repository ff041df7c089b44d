#include "intake/perf_results.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_perf_results(std::string_view data) { drain(intake::perf_results, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_perf_results)
