// What is right: the reference process and what it computed.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/line_protocol.h"
#include "bench/harness/private_folder.h"
#include "bench/judge/case.h"
#include "bench/judge/compare.h"

namespace explog::bench {

// How the process is started.
struct ReferenceSetup {
  std::string program;  // what Builder::reference() made
  std::string python;   // the interpreter of a reference in Python; empty for one in C++
  std::string gpu;      // UUID of the GPU that such a reference may use; empty: what CUDA calls the first
  bool may_use_gpu = false;
};

// The trusted program made from the task's reference. It sees the inputs and never any candidate code; its
// results lie in memory that no candidate process has.
class ReferenceProcess {
 public:
  // Throws Error(usage) when it cannot be started; of a Python reference, when it cannot be imported.
  ReferenceProcess(const ReferenceSetup& setup, const Task& task, const PrivateFolder& folder,
                   const SharedMemory& inputs);

  // Computes the case whose inputs lie at `input_offset`. Throws Error(usage) when the reference fails: a
  // broken task is the user's to correct, not a verdict.
  void compute(const Case& c, std::size_t input_offset = 0);
  // Of each output of the case computed last.
  std::vector<Expected> expected(const Case& c) const;
  // Operators of a Python reference whose rounding error was found by sampling, or empty.
  const std::string& sampled() const { return sampled_; }
  void abandon() const { lines_.abandon(); }

 private:
  void ask(const Task& task, const std::string& command, int limit_s, const std::string& where);
  std::string sampled_;
  bool in_python_;
  SharedMemory results_;
  LineProtocol lines_;
};

}  // namespace explog::bench
