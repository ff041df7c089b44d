// The Python program that finds shapes and types of problems that are written in Python. It runs the problem's own
// code on tensors of PyTorch's meta device, which have no memory; it does so with the user's rights, as running the
// benchmark itself would.
#pragma once
#include <string>

namespace explog::bench {

enum class Problem { kernel_bench, gpu_mode };

// JSON: {"params": [NAME...], "specs": [{"params": {NAME: size}, "inputs": [...], "outputs": [...]}],
// "weights": count, "error": text}. The first spec is the problem as it is. `path`: the problem's file, or the folder
// with task.yml. Throws Error(unavailable) where there is no Python with PyTorch, Error(usage) where the problem's
// code fails.
std::string probe_problem(Problem kind, const std::string& path);

}  // namespace explog::bench
