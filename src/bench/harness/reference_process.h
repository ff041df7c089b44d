// What is right: the reference process and what it computed.
#pragma once
#include <string>

#include "bench/case.h"
#include "bench/dialogue.h"
#include "bench/judge.h"
#include "bench/workplace.h"

namespace explog::bench {

// The trusted program made from the task's reference. It sees the inputs and never any candidate code; its
// results lie in memory that no candidate process has.
class Reference {
 public:
  // Throws Error(usage) when it cannot be started.
  Reference(const std::string& program, const PrivateFolder& folder, const SharedMemory& inputs);

  // Computes the case whose inputs lie at `input_offset`. Throws Error(usage) when the reference fails: a
  // broken task is the user's to mend, not a verdict.
  void compute(const Case& c, std::size_t input_offset = 0);
  // Of the `index`-th output of the case computed last.
  Expected expected(const Case& c, std::size_t index) const;

 private:
  SharedMemory results_;
  Dialogue dialogue_;
};

}  // namespace explog::bench
