// check --compile-only of a Python file.
#pragma once
#include "app/judge/check.h"

namespace explog::app {

// What the user said, else what the GPU of this machine is; without either throws Error that names --arch.
std::string arch_wanted(const std::string& said);

struct PythonFileCompiled {
  std::string name, arch, task;  // "mine.py", "sm_90", "softmax"
  bench::PythonCompiled made;
};
// For the task's timed shapes and the oddest of its others. Throws Error where there is no interpreter, or where it lacks
// what the file is written in.
PythonFileCompiled compile_python_texts(const BenchNames& names, const Session& session);

// The same for `check`: what was compiled is kept beside the database. Throws Error where there is no interpreter, or where it lacks what the file is written in.
Compiled compile_python_file(const BenchNames& names, const Session& session);

}  // namespace explog::app
