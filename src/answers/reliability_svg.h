// A reliability plot: what was foreseen against what happened, with 95% intervals.
#pragma once
#include <string>

#include "recommend/reliability.h"

namespace explog::answers {

std::string reliability_svg(const recommend::Reliability& r);

}  // namespace explog::answers
