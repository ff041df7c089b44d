// A version of a campaign, handed to the user's own files.
#pragma once
#include <string>

#include "app/session/session.h"

namespace explog::app {

// Writes a version over the file that version 0 was read from (or over `to`), and what it includes beside it, when these
// still hold what some version of this campaign holds; returns its path. Throws Error(negative) when one was changed
// otherwise: then all stay, and the version lies beside them under names that end in .explog.
std::string apply_version(const std::string& folder, int version, const std::string& to,
                          const Session& session);

}  // namespace explog::app
