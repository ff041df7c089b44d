// Records that a user states: one by its fields and profiles, or many as JSON lines.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/records/ingest.h"
#include "app/session/session.h"

namespace explog::app {

struct AddOptions {
  std::string key;      // idempotency key of the record, or of all lines
  bool strict = false;  // a remark refuses the record
  bool dry_run = false;
};

// Files of Nsight Compute that tell what the record's fields leave open; empty: none.
struct RecordProfiles {
  std::string before, after;
  std::string kernel_name;  // which kernel of them: RE2
  bool any() const { return !before.empty() || !after.empty(); }
};

// What the claim check cannot see: names that neither the taxonomy of kernels nor the playbook knows.
std::vector<std::string> unknown_names(const Experience& e, const Playbook& playbook);

// Throws Error(usage) when neither the fields nor a profile give the arch.
Ingested add_record(Experience e, const RecordProfiles& profiles, const AddOptions& options,
                    const Session& session);
// `complete` fills in what a line leaves open; `want_ids` keeps every id in memory.
Ingested add_lines(const std::string& path, const std::function<void(Experience&)>& complete,
                   const AddOptions& options, bool want_ids, const Session& session);

}  // namespace explog::app
