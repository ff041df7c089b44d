// Where a campaign stands, as its events tell it.
#pragma once
#include <optional>
#include <vector>

#include "campaign/contract.h"
#include "campaign/journal.h"

namespace explog::campaign {

// baseline: version 0 is not judged yet. asking: the next version is wanted. blocked: the baseline cannot be judged
// by.
enum class Phase { baseline, asking, judging, finished, blocked };
std::string_view word(Phase phase);

struct Version {
  Proposed proposal;
  std::optional<Judged> judged;
  std::optional<Decision> status;            // what became of it
  std::optional<Profile> profile;            // the last one
  std::vector<Benchmarked> benchmarks = {};  // the last one with each program
  // The last one with torch or torch.compile, or nothing.
  const Benchmarked* benchmark_with(std::string_view program) const;
  bool kept() const { return status == Decision::keep; }
};

struct State {
  Phase phase = Phase::baseline;
  std::vector<Version> versions;  // by number, from 0; the last may not be decided yet
  int champion = 0;
  int without_gain = 0;     // decided versions since the last that was kept
  double judging_s = 0;     // spent on judging
  std::vector<Note> notes;  // of the last version
  std::vector<Refused> refused;
  std::optional<Stopped> stop;

  int decided() const;  // versions, the baseline left out
  int next_version() const { return decided() + 1; }
  // The version of these bytes that was decided, or nothing; of refused bytes the one whose machine code they are.
  const Version* of_source(const std::string& hash) const;
  const Refused* refusal_of(const std::string& source) const;
  // The version of this machine code that was decided, or nothing; one whose verdict was inconclusive says nothing of it.
  const Version* of_code(const std::string& hash) const;
  const Version* last_decided() const;
};

State state_of(const std::vector<Event>& events);

}  // namespace explog::campaign
