// The program as a function of its arguments and streams.
#pragma once
#include <string>
#include <vector>

#include "cli/context.h"

namespace explog::cli {

// `args` without the program name. Returns the exit code; every Error ends here, as one line and a hint on
// context.terminal.err.
int run(const std::vector<std::string>& args, Context& context);

}  // namespace explog::cli
