// Which steps of the ladders the options of `calibrate` mean.
#pragma once
#include <string>
#include <vector>

#include "app/calibrate/calibrate.h"
#include "model/measurement.h"

namespace explog::app {

// Of one backend. Throws Error(usage) where it has no ladder, and for a family that has none.
std::vector<bench::Step> steps_of(const CalibrateOptions& options);

// Whether `m` tells all that calibrating a step would: on this GPU, at all of these shapes, or that the step does not work.
bool is_measured(const Measurement& m, const std::string& gpu, const std::vector<Dims>& timed);

// The same options for each backend that they mean. Of families, a language has some only. Warns of languages left out.
std::vector<CalibrateOptions> by_backend(const CalibrateOptions& options, const Session& session);

}  // namespace explog::app
