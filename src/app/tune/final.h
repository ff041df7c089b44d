// The finalists of a search, judged in full against the original.
#pragma once
#include "app/tune/search.h"
#include "bench/judge/verdict.h"

namespace explog::app {

// Sets best, faster, ties and reason of `tuned`; false when time or a signal left a finalist out, or the judge could
// not tell whether the original stays. What was decided before, by the same harness on this device, is read from the store.
bool judge_finalists(Tuned& tuned, const TuneSearch& search, const TuneRequest& request,
                     const TuneOptions& options, const TuneClock& clock, const Session& session);

// Which of the finalists wins, the fastest of the search first: the largest gain among those that the judge
// would keep, and nothing where it keeps none. `ties`: others whose interval reaches the winner's gain.
struct Winner {
  std::size_t index = 0;
  std::vector<std::size_t> ties;
};
std::optional<Winner> winner_of(const std::vector<bench::Verdict>& verdicts);

}  // namespace explog::app
