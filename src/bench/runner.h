// The supervisor's side of the runner process.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/case.h"
#include "bench/dialogue.h"
#include "bench/toolchain.h"
#include "bench/workplace.h"
#include "model/profile.h"

namespace explog::bench {

// What the runner's device said about itself.
struct Device {
  std::string gpu, arch, driver, runtime;  // driver "580.159.04", or "CUDA 13.0"; empty on the host
  std::string clock;                       // cupti, events, steady
  std::string cupti_missing;               // why the clock is events
  std::string sandbox;                     // "landlock 7", or "none"
  double flush_bytes = 0, cache_bytes = 0, memory_bytes = 0;
  double bandwidth = 0;  // bytes per second at the memory's clock; 0 unknown
  int multiprocessors = 0;
  double clock_hz = 0;  // highest SM clock
};

struct PassResult {
  std::vector<double> event_ms, kernel_ms;
  double sm_mhz = 0;
  std::uint64_t throttle = 0, persisting_l2 = 0;
  int threads = 0;
  double wall_ms = 0;  // of the whole pass, by this process's clock
};

struct BurstResult {
  double device_ms = 0;  // by events
  double wall_ms = 0;    // by this process's clock, the question and the answer included
};

struct ProfileResult {
  std::vector<Launch> launches;      // empty when a profiler outside looks on
  std::vector<std::string> missing;  // metrics this chip does not have
  std::string note;                  // a caveat
};

// How one process is started.
struct RunnerSetup {
  std::string program;              // the runner
  std::vector<std::string> before;  // a tool that runs it (compute-sanitizer ...)
  std::string cupti;                // path of libcupti.so
  std::string gpu;                  // UUID of the one GPU it sees; empty: as this process
  bool use_cupti = true;
  bool profiled_outside = false;  // `before` is a profiler
};

// One runner process. Every function throws Failed when the process does not do as it is told.
class Runner {
 public:
  Runner(const RunnerSetup& setup, const PrivateFolder& folder, const SharedMemory& inputs,
         const SharedMemory& outputs);

  const Device& device() const { return device_; }
  void load(int arm, const std::string& library);
  // Buffers for a case, `sets` times over. Without guards outputs keep what they had: for the sanitizer.
  void shape(const Case& c, int sets, bool guards = true);
  void input(int set, const Case& c, std::size_t offset = 0);
  // One verified call; all slots go to `offset` of the output memory. Returns the process's threads right
  // after it.
  int call(int arm, int set, std::uint64_t poison, std::size_t offset);
  void fetch(int set, std::size_t offset);
  // `count` cold calls; sample i works on set i % sets with inputs of seed mix(seed, i). Arm 2 is the empty
  // kernel.
  PassResult pass(int arm, int count, std::uint64_t seed);
  BurstResult burst(int arm, int count);
  bool returns_early(int arm);
  // Counters of one cold call, which is repeated as often as they need. For orientation: candidate code could
  // forge them.
  ProfileResult profile(int arm, std::span<const std::string_view> metrics);

  int threads_before_load() const { return threads_before_load_; }
  int threads() const { return dialogue_.child().threads(); }
  // The same when more than `allowed` may be there: one that was joined needs a moment to be gone from /proc,
  // so it is looked at again for a tenth of a second. Threads that end soon after a call are the runner's own
  // to count.
  int lasting_threads(int allowed) const;
  const std::string& printed() const { return dialogue_.child().output(); }
  Child::Ending finish(int timeout_ms = 10'000) { return dialogue_.finish(timeout_ms); }

 private:
  Json ask(const std::string& command);
  mutable Dialogue dialogue_;
  Device device_;
  int threads_before_load_ = 0;
  int patience_ = 1;  // factor of every time limit: tools slow a process down
};

}  // namespace explog::bench
