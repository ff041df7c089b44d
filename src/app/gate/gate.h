// gate: are the kernels of one revision as fast as those of another? Both are built from git's objects, each pair is
// judged as `bench` does, and what could not be judged is an answer of its own.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "bench/judge/gate.h"

namespace explog::app {

struct GateOptions {
  std::string base, head = "HEAD";
  std::vector<std::string> tasks;  // globs over the paths of head
  double max_slower = 0.02;
  double max_seconds = 30;  // of timing a shape
  std::string backend;      // of tasks that do not say; empty: by the kernel's file
  std::string arch;
  bool self_test = false;
  bool allow_new = false;  // kernels that base does not have
  bool sanitizer = true;
};

struct GateResult {
  std::string name, kernel;  // of the task; path of the kernel in the repository
  bench::GateVerdict verdict = bench::GateVerdict::none;
  std::string why;                       // of NO VERDICT and NEW
  bool same_code = false;                // equal machine code: nothing was timed
  bool base_broken = false;              // base itself does not build, run or compute right
  std::vector<bench::GateShape> shapes;  // that were timed
  std::vector<std::string> counters;  // what moved, of a kernel that got slower: "dram__bytes_read.sum +12%"
  double wall_s = 0;
};

struct GateSelfTest {
  bool found = false, kept = false;  // kept: from earlier today, on this machine
  double change = 0, lo = 0, hi = 0;
  std::string why;  // where it was not found
};

struct Gate {
  std::string base, head, base_commit, head_commit;
  std::string gpu, driver, toolkit;  // of the last kernel that was timed; empty where none was
  double max_slower = 0.02, wall_s = 0, timed_s = 0;  // timed_s: of kernels that were measured
  bool allow_new = false;
  std::vector<GateResult> results;
  std::vector<std::string> gone;  // files of tasks that only base has: nobody judged them
  std::optional<GateSelfTest> self_test;

  std::size_t count(bench::GateVerdict verdict) const;  // of tasks
  // 1 something is slower; 7 base is broken; 8 something has no verdict or is new and not allowed, or nothing was judged; 0.
  int exit_code() const;
};

// Throws Error(usage) for what is no repository, revision, or task that any path of head fits.
Gate run_gate(const GateOptions& options, const Session& session);

// One slowdown that is known, and whether it is seen. (gate_self_test.cpp)
GateSelfTest gate_self_test(const GateOptions& options, const std::string& backend, const Session& session);

}  // namespace explog::app
