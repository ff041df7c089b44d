// What was found good for other kernels of the type, at other shapes, on other devices: rows to measure first.
#pragma once
#include "app/tune/request.h"
#include "app/tune/tune.h"

namespace explog::app {

// The nearest first (backend, arch, shape), at most five: results of `tune` and configurations that were imported.
std::vector<TuneCandidate> transfer_candidates(const TuneRequest& request, const Session& session);

}  // namespace explog::app
