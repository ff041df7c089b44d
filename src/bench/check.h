// Is a candidate right? Every shape of the task, every distribution, two poisons, the baseline beside it.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cases.h"
#include "bench/judge/compare.h"
#include "model/measurement.h"

namespace explog::bench {

// One output over all cases of a shape.
struct OutputReport {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::uint64_t compared = 0, bad = 0;  // elements
  double max_abs = 0;
  std::optional<BadElement> first;  // the first bad one
};

struct ShapeReport {
  Dims dims;
  bool timed = false;
  int cases = 0;
  double max_abs = 0, worst_row = 0, bits_correct = 64;
  // Of the cases with the inputs that are timed; nothing where none of them came to a comparison.
  std::optional<CheckedErrors> usual = {};
  bool passed = true;
  double launch_ms = 0;  // the least that a call took to return; 0: none did
  std::vector<OutputReport> outputs = {};
};

enum class CheckVerdict { pass, fail, cheat, crash };
std::string_view word(CheckVerdict verdict);

struct CheckReport {
  CheckVerdict verdict = CheckVerdict::pass;
  std::string reason, detail;
  std::vector<ShapeReport> shapes;
  std::vector<std::string> warnings;
  Device device;
  bool deterministic = true;
  std::string sanitizer;  // pass, unavailable: why, or what it found
  std::string printed;    // what the candidate wrote to its standard output
};

// `runner` has begun, for the candidate, and holds nothing yet; it is over afterwards.
CheckReport check_candidate(Workbench& bench, TrustedProcesses& trusted, Runner& runner,
                            const Binaries& binaries, const Progress& progress);

// Of an interpreter on a GPU, whose libraries keep threads: none of them can reach into a replay, and what they ask of
// the device late is in the plan.
constexpr int any_threads = std::numeric_limits<int>::max();

// What runs on after a call, by outputs that change still, by the processor time that it took or, on a GPU, by its
// threads: those of a pool that wait are no fault.
std::optional<Fault> worked_on(const Afterwards& after);
std::optional<Fault> left_thread(Runner& runner, int allowed);

// Calls arm 1 of `runner`, whose buffers fit the case, on one set with two poisons and judges what came back;
// inputs and expectation are in place.
std::optional<Fault> verify_case(Workbench& bench, const ReferenceProcess& reference, Runner& runner, int set,
                                 const PreparedCase& prepared, ShapeReport& report, bool& deterministic);
// The same case with one input element changed in place, after verify_case: a result kept from before is
// wrong now.
std::optional<Fault> verify_changed_element(Workbench& bench, TrustedProcesses& trusted, Runner& runner,
                                            int set, const PreparedCase& prepared, std::uint64_t seed);

}  // namespace explog::bench
