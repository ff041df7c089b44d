// Results of tuning in the store: kept, found again, handed on.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/tune/request.h"

namespace explog::app {

struct StoredTuned {
  Tuned tuned;
  std::string id, at;  // of the record; when
};

// The id of the new record.
std::string record_tuned(const Tuned& tuned, const std::string& level, const Session& session);
// Those that count, newest first, of a task or of all ("").
std::vector<StoredTuned> stored_results(const std::string& task, const Session& session);

struct TuneLookup {
  std::string source = "none";  // tuned, bucket, disabled, none
  TuningKey key;                // what was asked for
  Settings params;              // empty for none, and for disabled where nothing is known of the original
  std::optional<StoredTuned> found;
  std::optional<Dims> other_shape;  // of the newest result that fits but for its shape
  bool other_task = false;          // there is a result, for a version of the task that is not the one here
  // What was found is of a program that did not record which version of the task it measured.
  bool of_unknown_task() const { return found && found->tuned.key.task_hash.empty(); }
};
struct LookupOptions {
  BenchNames names;
  std::string shape;  // "M=512,N=512"; empty: the largest that the task times
  std::string gpu;    // empty: that of this machine
};
// The newest result under this key: of this shape, else of its bucket. Measures and compiles nothing.
TuneLookup look_up(const LookupOptions& options, const Session& session);

// {"format":1,"results":[...]}: what export writes and import reads.
std::string exported_json(const std::vector<StoredTuned>& results);
// `#define` lines of one result's best.
std::string exported_header(const Tuned& tuned);
struct ImportedTuned {
  std::size_t added = 0, skipped = 0;  // skipped: the store has the same already
};
ImportedTuned import_results(const std::string& path, const Session& session);

}  // namespace explog::app
