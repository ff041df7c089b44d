// The ladder that a task can climb: that of the program's own task whose kernels can be called for it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/find_task.h"
#include "bench/harness/source_file.h"
#include "bench/ladder.h"

namespace explog::bench {

struct FittingLadder {
  std::string task;         // of the program, maybe another than the one that climbs
  std::string naive;        // the file its first steps change
  std::vector<Step> steps;  // of one backend, a step behind the one it changes

  // A step or the naive kernel, ready to compile.
  SourceFile source_of(const std::string& file) const;
};

// Whether a kernel that takes the arguments of `theirs` can be called with those of `mine`: a kernel of the same type, no
// lower precision allowed, and the same operands, which it takes by name if all names are the same, else by place. Sizes, of
// Python's the shapes, are compared at the shapes that `mine` times.
bool fits(const Task& theirs, const Task& mine, const std::string& backend);

// The ladder of `mine` where it is one of the program's own, else of the first of them that fits; nothing without steps.
std::optional<FittingLadder> ladder_for(const FoundTask& mine, const std::string& backend);

}  // namespace explog::bench
