// Profiles made here: what bounds baseline and candidate of a bench, and what of it goes into the record.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/profile.h"
#include "bench/verdict.h"
#include "cli/print_diagnosis.h"

namespace explog::cli {

// `before` the baseline, `after` the candidate, of the largest timed shape. Where counters cannot be had a
// line on standard error says why and how to mend it, and the diagnosis is the formula's: bytes and
// operations of the task, the time that was measured.
std::vector<Subject> profile_both(bench::Workbench& bench, const bench::Products& products,
                                  bench::Profiler by, Context& context);
// One product alone; nothing, and a line on standard error, where counters cannot be had.
std::optional<Subject> profile_one(bench::Workbench& bench, const std::string& library, bench::Profiler by,
                                   const std::string& role, Context& context);
std::vector<Subject> formula_subjects(const Measurement& m, const bench::Verdict& verdict, const Task& task,
                                      Context& context);

// Metrics, bottleneck and stall of what was found; fields that are given stay.
void add_profile(Experience& e, const std::vector<Subject>& subjects);

}  // namespace explog::cli
