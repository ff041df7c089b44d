// Which steps of the ladders the options of `calibrate` mean.
#pragma once
#include <vector>

#include "app/calibrate/calibrate.h"

namespace explog::app {

// Of one backend. Throws Error(usage) where it has no ladder, and for a family that has none.
std::vector<bench::Step> steps_of(const CalibrateOptions& options);

// The same options for each backend that they mean. Of families, a language has some only. Warns of languages left out.
std::vector<CalibrateOptions> by_backend(const CalibrateOptions& options, const Session& session);

}  // namespace explog::app
