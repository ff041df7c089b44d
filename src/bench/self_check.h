// Is a task fit to judge by? Trivial answers must be found wrong, honest ones right.
#pragma once
#include <string>
#include <vector>

#include "bench/check.h"

namespace explog::bench {

struct Screen {
  std::string name;  // zeros, mean, input copy, ...
  bool must_pass = false;
  bool applies = true;  // false: this task has no such answer (no input of the output's size, say)
  int cases = 0, passed = 0;
  std::string detail;  // the first case that decided
  // A trivial answer need only be caught once; an honest one must pass every time.
  bool ok() const { return !applies || (must_pass ? passed == cases : passed < cases); }
};

struct SelfReport {
  std::vector<Screen> screens;
  CheckReport baseline;  // the baseline judged as a candidate
  bool ok() const;
};

// Holds the trivial-solution screen over all hidden shapes and distributions: zeros, the mean, a copy of an
// input, the answer to another seed, one bad element, the whole computation in the next lower precision must
// fail; the same computation in working precision with its sums in another order, and the baseline, must
// pass.
SelfReport self_check(Workbench& bench, const Binaries& binaries, const Progress& progress);

}  // namespace explog::bench
