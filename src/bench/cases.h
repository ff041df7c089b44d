// The cases of a check: which shapes and inputs a candidate gets, and what is expected of it there.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/judge/verify.h"
#include "bench/workbench.h"

namespace explog::bench {

// 64 random bits that no helper process ever sees.
std::uint64_t secret_seed();

// Every case a candidate must get right, in the order it is given.
struct PlannedCase {
  Dims dims;
  std::string distribution;
  bool timed = false;
  const GivenShape* given = nullptr;  // of the task: whose inputs are read from files
  bool stirred = false;               // of given inputs: some elements change places
  bool drawn = false;                 // a shape that stands nowhere: skipped where the baseline is not right
};
// As a timed shape gets its inputs: given ones where the task has some for it, else generated.
PlannedCase timed_case(const Task& task, const Dims& dims);
// Hidden shapes within the task's limits; none where only timed shapes are wanted. Throws Error(usage) when a timed shape
// breaks a limit.
std::vector<Dims> hidden_shapes(const Workbench& bench);
std::vector<PlannedCase> plan_cases(const Workbench& bench, std::uint64_t seed);

// Rows of errors a trusted process made and what is expected, for one case; inputs lie at the start of
// bench.inputs.
struct PreparedCase {
  Case problem;
  RowErrors baseline;
};
// Generates inputs, computes what is expected and runs the baseline; the row errors are those of the task's own, so that
// what is right does not depend on what a candidate is compared with. Throws Error(usage) when a baseline is wrong.
PreparedCase prepare_case(Workbench& bench, TrustedProcesses& trusted, const PlannedCase& planned,
                          std::uint64_t seed);
// A case to time: what its baseline errs by is taken from the check, where that drew inputs of the same shape and kind.
PreparedCase prepare_timed(Workbench& bench, TrustedProcesses& trusted, const PlannedCase& planned);
// The row errors of the task's own baseline on the inputs that lie there; nothing where it is not right.
std::optional<RowErrors> errors_of_baseline(Workbench& bench, TrustedProcesses& trusted, const Case& c);
}  // namespace explog::bench
