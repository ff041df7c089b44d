// What a campaign finds on its machine.
#pragma once
#include <vector>

#include "campaign/version_pages.h"

namespace explog::app {

// Tools, and variables that are set and matter; Python is looked at only where the campaign's kernels are in it.
std::vector<campaign::Found> environment_for(const campaign::Contract& contract);

}  // namespace explog::app
