// Flags that name a task, a candidate and a baseline: of `check` and `bench`.
#pragma once
#include "app/judge/bench_request.h"
#include "cli/arguments.h"

namespace explog::cli {

void add_bench_flags(Arguments& arguments, app::BenchNames& names);

}  // namespace explog::cli
