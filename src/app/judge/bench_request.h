// What `check`, `bench` and `calibrate` ask of the judge: a task, a candidate, a baseline and compilers.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "bench/workbench.h"

namespace explog::app {

// As the user names things.
struct BenchNames {
  std::string task, candidate, backend, arch, baseline;
  std::vector<std::string> compiler_flags;
  bool shapes_only = false;  // check the timed shapes alone
  std::string shapes = {};   // timed instead of the task's, as for shapes_in(); empty: the task's
  std::string python = {};   // interpreter of a candidate in Python; empty: the one that is found
};

// All that was named, read.
struct BenchRequest {
  bench::FoundTask found;
  bench::SourceFile candidate;  // empty when none was named
  bench::SourceFile baseline;   // the task's own when none was named; its reference for torch, torch.compile
  bench::Toolchain toolchain;
  bool shapes_only = false;
};

// As the user said, else by the file's ending; one in Python says by what it imports which language it is.
std::string backend_named_or_seen(const BenchNames& names, const Task& task,
                                  const bench::SourceFile& candidate);
// Reads the files, checks solve()'s parameters against the task and finds the compilers. Throws Error.
BenchRequest read_request(const BenchNames& names, const Session& session);
// Names and hashes of what is measured, before it is: for records that are there already.
Measurement named_measurement(const BenchRequest& request);

struct BuiltRequest {
  bench::Binaries binaries;
  std::string compile_error;  // the compiler's words when the candidate does not compile
};
// Builds reference and baselines, which must compile (else Error(usage)), and the candidate, side by side.
BuiltRequest build(bench::Workbench& bench, const BenchRequest& request, const Listener& progress);

}  // namespace explog::app
