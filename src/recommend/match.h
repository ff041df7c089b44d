// Does a strategy apply to a kernel, and what speaks for it?
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/playbook.h"
#include "model/question.h"
#include "model/strategy.h"

namespace explog::recommend {

struct Match {
  bool possible = true;     // arch, features and dtype allow it
  bool meant = true;        // and the playbook means it for this backend and family
  std::string why_not;      // the first thing that speaks against either
  double probability = 0;   // the playbook's prior, adjusted to the question
  double believed = 1;      // what of its records holds for a kernel like this one
  bool supported = false;   // a signal, a fact or the source speaks for it
  bool called_for = false;  // signals that are measured speak for it, more than one, and none against it
  std::vector<std::string> reasons;  // what raised or lowered it
  std::vector<std::string> lacks;    // strategies it builds on that the kernel does not have
};

// Arch and requirements exclude; backend and family say for whom the playbook means it, which records of the
// backend overrule; bottleneck, signals and source patterns shift the prior: x 1.15 for a bottleneck the strategy
// is meant for and x 0.6 for another, x 1.15 for each signal or pattern that holds, x 0.6 for each signal that
// does not; x 0.5 for an element type it is not meant for; x 0.3 where the kernel's type is not known, its source is, and
// nothing speaks for a strategy that is meant for some families alone; at most 0.95.
// Where the profile denies every signal that it knows, or the element type does not fit, records made where
// things were otherwise are believed less: they need not hold here. So are those of a strategy that builds on what
// the kernel's source does not have.
Match match(const Strategy& strategy, const Question& question, const Playbook& playbook);

bool among(const std::vector<std::string>& list, std::string_view word);

// A fact of the question's state or profile, by any of its names.
std::optional<double> measured(const Question& question, const std::string& metric);

// What of a source an RE2 pattern finds first, on one line in backquotes and cut short; nothing where it finds none.
std::optional<std::string> found_in(const std::string& source, const std::string& pattern);

}  // namespace explog::recommend
