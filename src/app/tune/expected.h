// What the store's evidence lets a search expect of each configuration before anything is measured.
#pragma once
#include "app/tune/request.h"

namespace explog::app {

// tune::Plan::expected at this shape, from all records of changes of a knob in kernels of this type; told where there are
// none.
std::vector<double> expected_rows(const TuneRequest& request, const Session& session);

}  // namespace explog::app
