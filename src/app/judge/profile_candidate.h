// Profiles made here: what bounds baseline and candidate of a bench.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "bench/judge/verdict.h"
#include "bench/profile.h"
#include "diagnose/subject.h"

namespace explog::app {

using diagnose::Subject;

// `before` the baseline, `after` the candidate, of the largest timed shape. Where counters cannot be had a
// line on standard error says why and what to do, and the diagnosis is the formula's: bytes and
// operations of the task, the time that was measured.
std::vector<Subject> profile_both(bench::Workbench& bench, const bench::Binaries& binaries,
                                  bench::Profiler by, const Session& session);
// One of them alone; nothing, and a line on standard error, where counters cannot be had. `counting`: as profile_product() has it.
std::optional<Subject> profile_one(bench::Workbench& bench, const bench::Countable& counted,
                                   bench::Profiler by, const std::string& role, const Session& session,
                                   bench::Runner* counting = nullptr);
std::vector<Subject> formula_subjects(const Measurement& m, const bench::Verdict& verdict, const Task& task,
                                      const Session& session);

}  // namespace explog::app
