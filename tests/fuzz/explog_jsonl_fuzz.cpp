#include "intake/explog_jsonl.h"

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_explog_jsonl(std::string_view data) { drain(intake::explog_jsonl, data); }

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_explog_jsonl)
