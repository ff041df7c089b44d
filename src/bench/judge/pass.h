// A pass of cold calls and a burst of warm ones, as a runner reports them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace explog::bench {

struct PassResult {
  std::vector<double> event_ms, kernel_ms;
  double sm_mhz = 0;
  std::uint64_t throttle = 0, persisting_l2 = 0;
  int threads = 0;  // the most that ran on after a call
  // By the supervisor's clock: the whole pass; each call from its inputs to its outputs (host), or until it was queued.
  double wall_ms = 0;
  std::vector<double> call_wall_ms;
  // The same without what it waited for a processor (host): what else runs on the machine in its stead.
  std::vector<double> call_own_ms;
  std::vector<double> call_worked_ms;  // processor time of all threads of its process (host)
  std::vector<double> activities;  // of each call: kernels, copies and sets on the device that a profiler saw
  std::vector<std::string> hashes;  // of each call: of its outputs, where a plan was replayed
};

struct BurstResult {
  double device_ms = 0;  // by events
  double wall_ms = 0;    // by this process's clock, the question and the answer included
};

}  // namespace explog::bench
