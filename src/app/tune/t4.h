// Every configuration that a search measured, as T4 results of Kernel Tuner and the Autotuning Methodology community.
#pragma once
#include <string>

#include "app/tune/store.h"

namespace explog::app {

// Of one result: what the store holds of its kernel at its shape, on its device with its compiler; of a configuration that
// was measured several times the last outcome and all times. Warns where the store lacks some of them; throws
// Error(negative) where it has none.
std::string exported_t4(const StoredTuned& result, const Session& session);

}  // namespace explog::app
