// The process of a sweep: the baseline as one arm, candidates one after the other as the other.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "bench/harness/runner.h"
#include "bench/judge/verify.h"

namespace explog::bench {

// Outside a verdict a process that does not do as it is told is an error of this machine.
template <class Body>
auto or_error(const std::string& what, Body&& body) {
  try {
    return body();
  } catch (const Failed& f) {
    throw Error(Exit::unavailable, what + ": " + f.detail);
  }
}

constexpr std::uint64_t sweep_input_seed = 0x5eed;  // of calls that are checked

// Calls in a pass of a candidate that takes `each_ms`: as many as a time with a 99% interval needs.
int calls_for_time(double each_ms);

class SweepProcess {
 public:
  using Begin = std::function<std::unique_ptr<Runner>()>;
  struct Setup {
    Begin begin;                         // starts one, and does not wait for it
    std::string baseline;                // what the process loads as such: a product or its plan
    std::string baseline_name;           // for people
    std::optional<int> most_candidates;  // that a process takes
    bool survives = false;               // faults of a candidate, where the baseline still works after them
  };

  // A process begins with this object.
  SweepProcess(Setup setup, const Case& problem);

  // Waits until it holds the baseline. Throws Error(unavailable) where it cannot be had.
  Runner& runner();
  // The baseline as it was timed a moment ago, after the candidate before, or is now.
  PassResult drift_before();
  PassResult drift_after();
  // A candidate that ends its process, hangs or breaks the device does not reach the next one.
  std::optional<Fault> with(const std::string& candidate,
                            const std::function<std::optional<Fault>(Runner&)>& body);

 private:
  void begin();
  bool still_works();
  Setup setup_;
  const Case& problem_;
  std::unique_ptr<Runner> runner_;
  int loaded_ = 0, drift_calls_ = 0;
  bool started_ = false;
  std::optional<PassResult> drift_;  // as it was seen last
  std::chrono::steady_clock::time_point seen_;
};

}  // namespace explog::bench
