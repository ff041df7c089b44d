#include "intake/print_record.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_print_record(std::string_view data) { drain(intake::print_record, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_print_record)
