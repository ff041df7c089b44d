// The server: lines in, lines out, several calls at a time.
#pragma once
#include "app/session/session.h"

namespace explog::mcp {

struct ServeOptions {
  bool judge = false;  // kernels may be built and run
};

// Serves one client on two file descriptors until it has said everything, or SIGTERM. Nothing else may write to `out`.
// Returns the exit code.
int serve(const ServeOptions& options, const app::Session& session, int in, int out);

}  // namespace explog::mcp
