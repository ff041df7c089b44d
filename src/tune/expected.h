// What single changes that were measured elsewhere say of every row of a space: pure.
#pragma once
#include <span>
#include <vector>

#include "model/knob_step.h"
#include "model/space.h"

namespace explog::tune {

// log2 of the time of each row over that of the first; all 0 where no step is of a knob of the space.
//
// A sum of one term for each value of a knob and one for each pair of values of two, fitted to the gains of the
// steps by weighted ridge regression (Hoerl and Kennard 1970), pairs held more tightly. Knobs are known by the
// names that records share; what a step does not say of a knob is a value of its own.
std::vector<double> expected_times(const Space& space, std::span<const Configuration> rows,
                                   std::span<const KnobStep> steps);

}  // namespace explog::tune
