// What a Python file offers to be judged by, read from its text: nothing of it is executed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::bench {

struct PythonContract {
  // The first of these that the file offers: a function solve(...) of the task's arguments; run_kernel(**kw) of
  // kernel-opt-skill; a class ModelNew or Model of KernelBench; run(...) of SOL-ExecBench and FlashInfer-Bench; a kernel
  // alone, which a description may launch.
  enum class Kind { solve, run_kernel, bare_kernel, model, run, none };
  Kind kind = Kind::none;
  std::string
      backend;  // triton, cutile, cutedsl or python: of the kernels it declares, else of what it imports
  std::string entry;  // name of the function or class; of several kernels the last, or the one for the host
  std::vector<std::string>
      parameters;                    // of the entry (of a model's forward); "*args" and "**kw" as they stand
  std::vector<std::string> imports;  // modules anywhere in it, once each: "torch", "triton.language"
  bool setup = false;                // declares setup(...) beside run_kernel
  bool launch = false;               // has a description `launch = ...` of how a kernel alone is launched
};

// Of any bytes: what cannot be read is not there.
PythonContract python_contract(std::string_view text);

}  // namespace explog::bench
