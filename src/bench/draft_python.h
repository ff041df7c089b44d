// What a kernel in Python is called with, for a task that is drafted from it.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/source_file.h"
#include "bench/judge/signature.h"

namespace explog::bench {

struct PythonSignature {
  Signature signature;
  std::string
      backend;  // whose shapes and baseline it gives: cuda, or host for what uses neither torch nor kernels
  std::vector<std::string> notes;  // what was guessed, a line each
};

// From setup(**dims), of the kernel's file or else the reference's, which is run in the user's interpreter and tells types and sizes; without one
// from the names of solve()'s or run()'s parameters: those that are no dimensions are taken for arrays of f32. Throws
// Error(usage) when neither is there or setup() fails, Error(unavailable) where the interpreter lacks a module.
PythonSignature python_signature(const SourceFile& source, const SourceFile& reference, const Dims& dims);

}  // namespace explog::bench
