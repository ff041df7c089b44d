// What bounds a campaign's best version, as far as that is known without running anything.
#pragma once
#include <optional>
#include <string>

#include "app/campaign/folder.h"
#include "diagnose/diagnose.h"

namespace explog::app {

struct Bound {
  diagnose::Diagnosis diagnosis;  // of its counters, else of the task's formulas and its time
  double roof = 0;                // share of the speed of light, over all shapes; 0 unknown
};

// The counters that were taken of a version, or nothing.
std::optional<Launch> launch_of(const campaign::Version& version, const campaign::Contract& contract);

// `counted`: what those say of the version, or nothing.
Bound bound_of(const campaign::Version& version, const campaign::Contract& contract,
               const std::optional<diagnose::Diagnosis>& counted, const Session& session);

}  // namespace explog::app
