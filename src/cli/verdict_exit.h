// Exit codes of verdicts.
#pragma once
#include "bench/check.h"
#include "bench/judge/verdict.h"

namespace explog::cli {

int exit_code(bench::Decision decision);
int exit_code(bench::CheckVerdict verdict);

}  // namespace explog::cli
