// Whether a kernel in a language of its own leaves the work to a library's kernels.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "harness/plan.h"

namespace explog::bench {

// Whether a kernel's name is one of torch's, cuBLAS's, cuDNN's or CUTLASS's: "_ZN2at6native...", "nvjet_...".
bool of_library(std::string_view kernel);

// The name of a library's kernel where only such kernels can have written what counts: no other one is given an output
// (`outputs`: numbers of the plan's arguments) or a workspace. Empty where there is none, or another kernel can.
std::string only_library_writes(const plan::Plan& p, const std::set<std::uint32_t>& outputs);

// Numbers of the images that launches come from, but for a library's.
std::set<std::uint32_t> own_images(const plan::Plan& p);

}  // namespace explog::bench
