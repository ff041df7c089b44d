// Files of other tools -> checked records, each stored once.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/records/ingest.h"
#include "app/session/session.h"

namespace explog::app {

struct ImportOptions {
  // Files and folders of files; "-" is what was piped in, "evidence:" the records shipped with explog.
  std::vector<std::string> files;
  std::string format;                         // empty: guessed from each file
  std::function<void(Experience&)> complete;  // fills in what a file leaves open
  bool strict = false, dry_run = false;
};

std::vector<std::string> import_formats();

// What all files together gave; ends early when interrupted. A file that cannot be read is one rejection among
// several files; a single one throws Error(usage). Files of a folder that are of no known format are counted.
Ingested import_files(const ImportOptions& options, const Session& session);

}  // namespace explog::app
