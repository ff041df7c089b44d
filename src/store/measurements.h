// Measurements in the log, by what they are of.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/sqlite.h"
#include "model/measurement.h"

namespace explog::store {

// What makes two measurements the same: task, harness, baseline and candidate, by their hashes.
struct MeasurementKey {
  std::string task_hash, harness_hash, baseline_hash, candidate_hash;
  auto operator<=>(const MeasurementKey&) const = default;
};
MeasurementKey key_of(const Measurement& m);

// The measurement of an event; nothing where there is none of that id, or none that this program reads.
std::optional<Measurement> measurement_with(sql::Db& db, const Uuid& id);

// Of every measurement in the log.
std::set<MeasurementKey> measured_keys(sql::Db& db);

// The newest measurement of a task against this baseline; nothing when there is none.
std::optional<MeasurementKey> last_against(sql::Db& db, const std::string& task,
                                           const std::string& baseline_hash);

// Measurements with the task, harness, baseline, GPU, toolkit and mode of `like`, in the order of the log.
// Bodies that are no measurement (a stranger's event may hold anything) are left out.
std::vector<Measurement> measurements_like(sql::Db& db, const Measurement& like);
// Those of a task on a GPU with a toolkit that were timed to compare configurations, in the order of the log.
std::vector<Measurement> measurements_of(sql::Db& db, const std::string& task, const std::string& gpu,
                                         const std::string& toolkit);

}  // namespace explog::store
