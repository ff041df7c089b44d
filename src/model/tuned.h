// What a search of configurations came to: what `explog tune` answers, stores, exports and looks up.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/experience.h"
#include "model/space.h"
#include "model/task.h"
#include "model/tuning_space.h"

namespace explog {

constexpr int tuned_format = 1;  // of a file of results

// Under which a result holds.
struct TuningKey {
  std::string task, kernel_type, kernel;  // kernel: the source's name
  std::string source;                     // hash of the source without the values of its knobs
  Dims shape;
  std::string dtype, backend, arch, gpu;
  std::string flags, toolkit;  // the compiler's
  std::string task_hash = {};  // of its description and reference; empty in results of earlier programs

  bool operator==(const TuningKey&) const = default;
};
// Each dimension as the power of two that is not below it.
Dims bucket_of(const Dims& shape);

struct TuningFailure {
  Settings params;
  std::string cause, line;  // "wrong_values", and the first line that says so
};

// What somebody estimated of a configuration before it was measured.
struct TuningEstimate {
  Settings params, asked;          // the row, and what was meant, by its names there
  std::string from;                // "nvMatmulHeuristics 0.1.0"
  double estimate_ms = 0, ms = 0;  // ms: as the search timed it; 0: it did not run
};

struct Tuned {
  TuningKey key;
  bool complete = false;  // nothing of the search was cut short
  Settings best, original;
  double best_ms = 0, original_ms = 0;  // 0: it did not run
  bool original_wins = true;            // nothing was proven faster; best is the original then
  double faster = 1, lo = 1, hi = 1;    // the best over the original, with its 99% interval
  std::vector<Settings> ties;           // finalists that the interval does not tell from the best
  std::string reason;                   // why the original stays, in the judge's words
  bool in_process = false;              // the finalist that `reason` is about was timed in its own process
  std::string space, search;            // hash of the rows; "exhaustive", "random 20, seed 7"
  std::size_t configurations = 0, successes = 0, failed = 0;
  std::vector<TuningFailure> failures;  // the first of them
  std::string rows;  // the first 8 digits of the hash of each configuration that was measured
  std::vector<PrunedCount> pruned;
  std::vector<TuningEstimate> estimates;
  std::vector<std::pair<std::string, double>> controls;  // names of files, and the values that stand for them
};

// What is open of a result that is not complete, in words; empty of others, and of a shard's.
std::string left_open(const Tuned& tuned);

// One JSON object; parse_tuned(to_json(t)) gives t again. Throws JsonError naming the key.
std::string to_json(const Tuned& tuned);
Tuned parse_tuned(std::string_view json);

// The result as a record: strategy `autotune`, the whole of it under "tuned".
Experience experience_of(const Tuned& tuned);
// Nothing where the record is none of a search, or of one that this program cannot read.
std::optional<Tuned> tuned_of(const Experience& e);

}  // namespace explog
