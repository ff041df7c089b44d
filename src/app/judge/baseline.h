// What a candidate is compared with: the task's baseline, a file, or the task's reference as PyTorch runs it.
#pragma once
#include <string>
#include <vector>

#include "bench/find_source.h"
#include "bench/harness/toolchain.h"
#include "model/measurement.h"

namespace explog::app {

const std::vector<std::string>& torch_baselines();  // torch and torch.compile, as --baseline says them
bool is_torch_baseline(const std::string& named);
// The task's reference in PyTorch, which `named` runs. Throws Error(usage) where the task has none, or `backend` no GPU.
bench::SourceFile torch_baseline(const std::string& named, const bench::FoundTask& found,
                                 const std::string& backend);
// As verdicts and records name it: "torch.compile 2.11.0" for what PyTorch runs, else the file.
MeasuredFile measured_baseline(const bench::SourceFile& baseline, const bench::Toolchain& toolchain);

}  // namespace explog::app
