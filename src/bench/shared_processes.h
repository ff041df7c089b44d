// What candidates of one author share when they are judged beside each other: each process that uses the device takes
// 0.15 s to begin, one after the other.
#pragma once
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bench/cases.h"
#include "bench/harness/capture.h"
#include "bench/workbench.h"

namespace explog::bench {

// Captures of files at the timed shapes of one task, each made once: a file is the candidate of one and the baseline of
// another.
class SharedCaptures {
 public:
  using Made = std::shared_future<std::vector<Captured>>;

  SampleOrder inputs() const { return inputs_; }  // of direct calls
  // The first to ask for a library begins its capture, beside what it does next.
  Made of(const std::string& library, const std::function<std::vector<Captured>()>& make);

 private:
  SampleOrder inputs_{0, secret_seed(), secret_seed() | 1};
  std::mutex mutex_;
  std::map<std::string, Made> made_;
};

// Processes that time one replayed candidate after the other, in turn: no code of a candidate's host runs in them. Not for
// several threads at a time.
class ReplayProcesses {
 public:
  // They begin with this object, beside what the caller does next, and end with the thread that makes it.
  ReplayProcesses(const FoundTask& found, const Toolchain& toolchain, bool use_cupti);
  ~ReplayProcesses();
  ReplayProcesses(const ReplayProcesses&) = delete;
  ReplayProcesses& operator=(const ReplayProcesses&) = delete;

  // Waits until they have begun: nothing is timed meanwhile.
  void wait();
  // That which nobody has had for the longest time; none where one of them has failed.
  std::unique_ptr<Runner> take();
  void give_back(std::unique_ptr<Runner> process);

 private:
  Workbench bench_;
  std::deque<std::unique_ptr<Runner>> idle_;
};

}  // namespace explog::bench
