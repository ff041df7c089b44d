// Commands of the user's that hear of each version: before it is judged, and after.
#pragma once
#include <string>
#include <vector>

#include "app/campaign/folder.h"

namespace explog::app {

enum class Hook { before, after };

// Runs the contract's command, if it has one, with the last events of the version as JSON lines on its standard input;
// what it prints is kept as a note. That it fails or takes too long is a warning and a note, and nothing else.
void run_hook(Hook hook, CampaignFolder& folder, int version, const Session& session);

}  // namespace explog::app
