// A case whose inputs have some elements changed in place: a result kept from before is wrong then, and so is one that leaves
// elements out, or holds for numbers of one size alone.
#pragma once
#include <cstdint>
#include <string>

#include "bench/cases.h"

namespace explog::bench {

class ChangedInputs {
 public:
  ChangedInputs(Workbench& bench, TrustedProcesses& trusted, const PreparedCase& prepared, std::uint64_t seed)
      : bench_(bench), trusted_(trusted), prepared_(prepared), seed_(seed) {}

  // Changes two elements of one input, which lies in bench.inputs, to numbers far above the others where the task is made
  // for such, and computes what is expected. The name of the input; empty where none may be changed.
  std::string make();
  // By how much rows may be off.
  const RowErrors& allowed() const { return allowed_; }

 private:
  void change(const Case& c);
  void expect_as_before();
  bool stand_out(const std::string& fill);

  Workbench& bench_;
  TrustedProcesses& trusted_;
  const PreparedCase& prepared_;
  std::uint64_t seed_;
  std::size_t operand_ = 0;
  char* data_ = nullptr;
  RowErrors allowed_;
};

}  // namespace explog::bench
