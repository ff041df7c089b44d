// check --compile-only of a Python file.
#pragma once
#include "app/check.h"

namespace explog::app {

// Throws Error where there is no interpreter, or where it lacks what the file is written in.
Compiled compile_python_file(const BenchNames& names, const Session& session);

}  // namespace explog::app
