// Whether device code starts kernels or graphs itself.
#pragma once
#include <string_view>

namespace explog::bench {

bool starts_work(std::string_view cubin);

}  // namespace explog::bench
