// check: task + candidate -> is it right? And is the task itself fit to judge by?
#pragma once
#include <string>
#include <vector>

#include "app/judge/bench_request.h"
#include "bench/harness/python_compile.h"
#include "bench/self_check.h"

namespace explog::app {

struct CheckOptions {
  BenchNames names;
  bool sanitizer = true;
};

struct Checked {
  std::string what;  // "mine.cu for softmax"
  bench::CheckReport report;
};
// Throws Error(usage) when the task, its reference or its baseline is wrong.
Checked check_file(const CheckOptions& options, const Session& session);

// Compiles and runs nothing.
struct Compiled {
  std::string what;  // "mine.cu for softmax"
  std::string file, library;
  std::string code;                          // of a Python file: the hash that its device code is kept under
  std::vector<bench::PythonKernel> kernels;  // of a Python file
  bench::CheckReport report;                 // crash, when the candidate does not compile
};
Compiled compile_file(const CheckOptions& options, const Session& session);

struct CheckedTask {
  std::string task;
  bench::SelfReport report;
};
// Trivial answers must fail and honest ones pass, the task's own baseline among them.
CheckedTask check_task(const CheckOptions& options, const Session& session);

}  // namespace explog::app
