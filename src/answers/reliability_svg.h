// A reliability plot: what was foreseen against what happened, with 95% intervals.
#pragma once
#include <string>

#include "recommend/calibration.h"

namespace explog::cli {

std::string reliability_svg(const recommend::Reliability& r);

}  // namespace explog::cli
