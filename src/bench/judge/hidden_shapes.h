// Shapes that are checked and never timed: those of a drafted task, and others that are drawn for each check.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/task.h"

namespace explog::bench {

// Shapes around `timed` that kernels often get wrong: 1, primes, one less, one more; each of fewer than 2^20
// items. The dimensions named in `fixed` keep their value.
std::vector<Dims> draft_hidden(const Dims& timed, const std::vector<std::string>& fixed);

// Shapes that stand nowhere, near those of `hidden`: one of these with other sizes in its free dimensions, between the
// smallest and the largest that are listed, of no larger volume than the largest. A dimension is free where its listed sizes
// have no common divisor, so that most likely any size will do. At most `count`; none where no dimension is free.
std::vector<Dims> draw_shapes(const std::vector<Dims>& hidden, std::uint64_t seed, std::size_t count);

// The same, small, and together with every remainder by 16 in each free dimension: what is left over by a loop over several
// elements at once has a branch of its own for each.
std::vector<Dims> draw_remainders(const std::vector<Dims>& hidden, std::uint64_t seed);

}  // namespace explog::bench
