// Counters of a ladder's files, each once: a variant is the candidate of one step and the baseline of the next.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/judge/profile_candidate.h"

namespace explog::app {

// Both files of a step; none where one of them could not be counted.
struct StepCounters {
  std::optional<Subject> before, after;
};

// One process counts all plans of a family: what CUPTI takes to begin it takes once. Not for several threads at a time.
class FamilyCounters {
 public:
  // The process begins with this object, beside what the caller does next, and ends with the thread that makes it.
  FamilyCounters(const bench::FoundTask& found, const bench::Toolchain& toolchain);
  ~FamilyCounters();
  FamilyCounters(const FamilyCounters&) = delete;
  FamilyCounters& operator=(const FamilyCounters&) = delete;

  // Waits until it has begun: nothing else of this family is timed meanwhile.
  void wait();
  // `baseline`, `candidate`: names of files. What cannot be counted is a warning of the session's.
  StepCounters of(bench::Workbench& bench, const bench::Binaries& binaries, const bench::Plans& plans,
                  const std::string& baseline, const std::string& candidate, const Session& session);

 private:
  std::optional<Subject> of_file(bench::Workbench& bench, const bench::Countable& counted,
                                 const std::string& file, const std::string& role, const Session& session);

  bench::Workbench bench_;  // of the process
  std::unique_ptr<bench::Runner> process_;
  std::map<std::string, std::optional<Subject>> known_;
};

}  // namespace explog::app
