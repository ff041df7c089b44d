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
  bool is_open() const;  // the judge could not tell: it may be judged again
};

struct State {
  Phase phase = Phase::baseline;
  std::vector<Found> environment;  // at the start
  std::vector<Version> versions;   // by number, from 0; the last may not be decided yet
  int champion = 0;
  // Decided versions since the last that was kept, without those that the machine left no time of.
  int without_gain = 0;
  double judging_s = 0;     // spent on judging
  std::vector<Note> notes;  // of the last version
  std::vector<Refused> refused;
  std::optional<Stopped> stop;

  int decided() const;  // versions, the baseline left out
  int next_version() const { return decided() + 1; }
  // The version of this source whose verdict holds, or nothing: one that was inconclusive says nothing. Of a refused source
  // the one whose machine code it is.
  const Version* of_source(const std::string& hash) const;
  bool was_judged(const std::string& source) const;  // whatever came of it
  const Refused* refusal_of(const std::string& source) const;
  // The version of this machine code whose verdict holds, or nothing.
  const Version* of_code(const std::string& hash) const;
  const Version* last_decided() const;
  // What failed, without crashing, on a version that is no longer the best, and was not tried on the best one: it may work
  // there. The last one of each strategy.
  std::vector<const Version*> open_again() const;
};

State state_of(const std::vector<Event>& events);

}  // namespace explog::campaign
