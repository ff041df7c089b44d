// The shapes of a drafted task that are checked and never timed.
#pragma once
#include <string>
#include <vector>

#include "model/task.h"

namespace explog::bench {

// Shapes around `timed` that kernels often get wrong: 1, primes, one less, one more; each of fewer than 2^20
// items. The dimensions named in `fixed` keep their value.
std::vector<Dims> draft_hidden(const Dims& timed, const std::vector<std::string>& fixed);

}  // namespace explog::bench
