// Records of the user's own: shown, taken back, erased.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "store/read.h"

namespace explog::app {

// Records are named by the first digits of their id; store::resolve() says what is wrong with a name.
std::vector<store::Record> find_records(const Session& session, const std::vector<std::string>& names);

// Takes records back, with their copies; returns their ids. Throws Error(usage) for what is no experience or
// was retracted already: then nothing is stored.
std::vector<std::string> retract(const Session& session, const std::vector<std::string>& names,
                                 const std::string& reason);

// Erases the text of records here, and wherever their log is kept once it was synced; returns their ids.
// Throws Error(usage) for an event that holds no text.
std::vector<std::string> redact(const Session& session, const std::vector<std::string>& names,
                                const std::string& reason);

}  // namespace explog::app
