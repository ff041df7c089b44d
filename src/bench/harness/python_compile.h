// Compiles what a Python file launches, in the user's interpreter and without a GPU.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/code/device_code.h"
#include "bench/harness/source_file.h"
#include "bench/judge/case.h"
#include "bench/judge/python_contract.h"

namespace explog::bench {

struct PythonJob {
  std::string interpreter;
  std::string tools;  // a folder that its PATH ends with, or empty
  SourceFile source;
  PythonContract contract;
  std::string backend;  // triton, cutile, cutedsl
  std::string arch;     // sm_90
  std::vector<Case> cases;
  int import_ms = 60000, case_ms = 120000;  // for the import, and from one reply to the next
};

struct PythonKernel {
  std::string name, dims;  // "N=4096, D=4096": the first shape that needs it
  std::optional<std::int64_t> registers, stack,
      shared;                                         // a thread's, a thread's bytes (spills), bytes a block
  std::optional<std::int64_t> num_warps, num_stages;  // Triton's
};

struct PythonCompiled {
  std::string error;  // one line; empty where all was compiled
  std::vector<PythonKernel> kernels;
  CodeTexts texts;      // of all of them
  std::string printed;  // what the file wrote to its output
};

// Calls the file's entry with tensors of every case that have no memory: each kernel that it would launch is compiled.
// In a process of its own with caches of its own.
PythonCompiled compile_python(const PythonJob& job);

}  // namespace explog::bench
