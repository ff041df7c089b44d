// What compute-sanitizer's report holds against a kernel.
#pragma once
#include <string>
#include <string_view>

namespace explog::bench {

// The first line of a tool's report that names a fault of the kernel, without the tool's marks; empty when there is none but
// lines about the tool itself.
// initcheck also complains when the harness copies out memory that it saw nobody write: it does not see the stores of
// the Tensor Memory Accelerator. What was not written is found by poison instead.
std::string sanitizer_finding(std::string_view tool, const std::string& report);

// What the report says that the tool itself could not watch, so that it proves nothing: a kernel started by device code (of the
// tools only memcheck follows it, says NVIDIA's release notes), a launch that it lost track of. Empty when there is none.
std::string sanitizer_limit(const std::string& report);

}  // namespace explog::bench
