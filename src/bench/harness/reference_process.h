// What is right: the reference process and what it computed.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/line_protocol.h"
#include "bench/harness/private_folder.h"
#include "bench/judge/case.h"
#include "bench/judge/compare.h"

namespace explog::bench {

// The trusted program made from the task's reference. It sees the inputs and never any candidate code; its
// results lie in memory that no candidate process has.
class ReferenceProcess {
 public:
  // Throws Error(usage) when it cannot be started.
  ReferenceProcess(const std::string& program, const PrivateFolder& folder, const SharedMemory& inputs);

  // Computes the case whose inputs lie at `input_offset`. Throws Error(usage) when the reference fails: a
  // broken task is the user's to correct, not a verdict.
  void compute(const Case& c, std::size_t input_offset = 0);
  // Of each output of the case computed last.
  std::vector<Expected> expected(const Case& c) const;

 private:
  SharedMemory results_;
  LineProtocol lines_;
};

}  // namespace explog::bench
