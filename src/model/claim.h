// Makes a record fit for the store: vocabularies, derived fields, and the check of the claim against its own
// numbers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/experience.h"

namespace explog {

struct Remarks {
  std::vector<std::string> mended;     // "bottleneck 'memory-bound' read as 'memory'"
  std::vector<std::string> warnings;   // what looks wrong; --strict turns these into refusal
  std::optional<std::string> refused;  // why the record cannot be stored at all
};

// Brings `e` into the store's form in place: closed vocabularies, canonical kernel type, arch and strategy;
// derives speedup, correctness and outcome where they are not given. Refuses a record that says nothing: no
// kernel type, or neither outcome nor anything an outcome follows from, or impossible numbers.
// `highest_level` caps the evidence level: a typed record is at most "claimed", one from a file at most
// "imported".
Remarks prepare(Experience& e, std::string_view highest_level);

// The claim check alone, on a prepared record: a speed-up against its latencies, a bottleneck label against its
// metrics, an outcome against its speed-up, throughput against the arch's peak, an empty strategy. Thresholds: success needs 2 % (outcome),
// labels need 1.5x.
std::vector<std::string> check_claim(const Experience& e);

}  // namespace explog
