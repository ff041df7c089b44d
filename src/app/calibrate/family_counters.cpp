#include "app/calibrate/family_counters.h"

namespace explog::app {

using namespace bench;

FamilyCounters::FamilyCounters(const FoundTask& found, const Toolchain& toolchain)
    : bench_(found, toolchain), process_(begin_counting(bench_)) {}

FamilyCounters::~FamilyCounters() {
  if (process_) process_->abandon();
}

void FamilyCounters::wait() {
  if (process_ && !process_->has_begun()) process_.reset();
}

StepCounters FamilyCounters::of(Workbench& bench, const Binaries& binaries, const Plans& plans,
                                const std::string& baseline, const std::string& candidate,
                                const Session& session) {
  StepCounters counters;
  counters.before =
      of_file(bench, countable(bench, binaries, plans, RunnerArm::baseline), baseline, "before", session);
  counters.after =
      of_file(bench, countable(bench, binaries, plans, RunnerArm::candidate), candidate, "after", session);
  return counters;
}

// A process that failed at one file counts no other: the next has one of its own.
std::optional<Subject> FamilyCounters::of_file(Workbench& bench, const Countable& counted,
                                               const std::string& file, const std::string& role,
                                               const Session& session) {
  if (!known_.contains(file)) {
    known_[file] = profile_one(bench, counted, Profiler::cupti, role, session, process_.get());
    if (counted.is_plan && !known_[file]) process_.reset();
  }
  std::optional<Subject> subject = known_[file];
  if (subject) subject->role = role;
  return subject;
}

}  // namespace explog::app
