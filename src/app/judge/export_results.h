// Verdicts on tasks of other benchmarks: what is written as files of theirs.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "bench/judge/verdict.h"

namespace explog::app {

struct ExportedAttempt {
  Measurement measurement;
  bench::Verdict verdict;
  std::string at;  // when it was recorded, "2026-01-02T03:04:05Z"
};
struct ExportedResults {
  std::vector<ExportedAttempt> attempts;        // one a measurement, oldest first
  std::size_t records = 0;                      // that say something of these
  std::map<std::string, std::size_t> left_out;  // why -> how many of the user's records
};

// Of the records that `search` finds: those that were measured on a task of one of these benchmarks. Records that ship
// with explog are none of the user's, and are passed over in silence. Throws Error(usage) for a search that is none.
ExportedResults results_for(const std::vector<std::string>& benchmarks, const std::string& search,
                            const Session& session);

}  // namespace explog::app
