// From lines of foreign bytes to stored records: read and check in one thread, write in another.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "intake/source.h"
#include "model/experience.h"

namespace explog::app {

struct IngestOptions {
  std::string highest_level = "claimed";
  bool strict = false;      // a warning refuses the record
  bool by_content = false;  // content ids: the same record is not stored twice
  bool dry_run = false;
  std::string what = "reading";               // for the progress line
  std::uint64_t input_bytes = 0;              // how large the input is; 0: not known
  std::string key_prefix;                     // idempotency key of the whole input; line n gets "<prefix>:n"
  std::function<void(Experience&)> complete;  // fills what the command line gave
};

struct Ingested {
  std::int64_t added = 0, skipped = 0, rejected = 0;
  std::vector<std::string> ids;         // of the records added or found, when asked for
  std::vector<std::string> rejections;  // "file:12: reason", the first 1000
  std::vector<std::string> warnings;    // the first 1000
  std::int64_t remarks = 0;             // how many warnings there were
  std::size_t foreign = 0;              // files of a folder that are of no known format
  std::size_t pages = 0;                // of experiment loops: read with a version, or of no record
  bool interrupted = false;
};

// Stores records in transactions of some ten thousand; what is reported as added is on disk. SIGINT and
// SIGTERM end it after the transaction under way. `want_ids` keeps every id in memory.
Ingested ingest(const Session& session, const Playbook& playbook, const Source& source,
                const IngestOptions& options, bool want_ids);

}  // namespace explog::app
