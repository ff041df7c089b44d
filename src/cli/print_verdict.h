// A verdict of `bench` on standard output, and its samples as CSV.
#pragma once
#include <string>
#include <vector>

#include "bench/verdict.h"
#include "cli/context.h"
#include "cli/print_diagnosis.h"

namespace explog::cli {

// Prints the verdict, with the profile behind it when there is one; the command's exit code.
int print_verdict(Context& context, const Measurement& m, const bench::Verdict& v,
                  const std::vector<Subject>& profile, const std::string& id);

// One line a sample: run, shape, block, place in its order, arm, milliseconds, SM clock, why the block does
// not count.
std::string samples_csv(const Measurement& m);

}  // namespace explog::cli
