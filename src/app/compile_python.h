// check --compile-only of a Python file.
#pragma once
#include "app/check.h"

namespace explog::app {

// What the user said, else what the GPU of this machine is; without either throws Error that names --arch.
std::string arch_wanted(const std::string& said);

// Throws Error where there is no interpreter, or where it lacks what the file is written in.
Compiled compile_python_file(const BenchNames& names, const Session& session);

}  // namespace explog::app
