// What sweeps and tuning put into the store.
#pragma once
#include <vector>

#include "app/session/session.h"
#include "model/experience.h"
#include "model/measurement.h"

namespace explog::app {

void record_measurement(const Session& session, const Measurement& m);
// How many are new: records that are there already are not stored again.
std::size_t record_changes(const Session& session, std::vector<Experience>& list);

}  // namespace explog::app
