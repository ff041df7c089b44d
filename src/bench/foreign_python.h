// The Python program that finds shapes and types of problems that are written in Python. It runs the problem's own
// code on tensors of PyTorch's meta device, which have no memory; it does so with the user's rights, as running the
// benchmark itself would.
#pragma once
#include <string>
#include <vector>

namespace explog::bench {

enum class Problem { kernel_bench, gpu_mode, skill };

// What it says, as JSON (foreign_probe.cpp reads it): {"dims": [NAME...], "inputs": [...], "outputs": [...], "timed": [{NAME:
// size}...], "reference": text, ...} or {"error": text}. `path`: a problem's file, or a folder with task.yml or ref.py; of the
// last `sizes` are other than its own, NAME=NUMBER. Throws Error(unavailable) where there is no Python with PyTorch,
// Error(usage) where the problem's code fails.
std::string probe_problem(Problem kind, const std::string& path, const std::vector<std::string>& sizes = {});

}  // namespace explog::bench
