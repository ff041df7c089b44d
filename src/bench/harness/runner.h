// The supervisor's side of the runner process.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/private_memory.h"
#include "base/shared_memory.h"
#include "bench/harness/helper_environment.h"
#include "bench/harness/host_buffers.h"
#include "bench/harness/line_protocol.h"
#include "bench/harness/private_folder.h"
#include "bench/harness/toolchain.h"
#include "bench/judge/case.h"
#include "bench/judge/device.h"
#include "bench/judge/pass.h"
#include "harness/protocol.h"
#include "model/profile.h"

namespace explog::bench {

using protocol::RunnerArm;

struct ProfileResult {
  std::vector<Launch> launches;      // empty when a profiler outside looks on
  std::vector<std::string> missing;  // metrics this chip does not have
  std::string note;                  // a caveat
};

// What a process still does when solve() has returned.
struct Afterwards {
  int threads = 0;
  double late_ms = 0;    // processor time of other threads in a moment; of call() on the host alone
  bool changed = false;  // a byte of any buffer, in that moment; likewise
  double launch_ms = 0;  // until it returned; of call() alone
};
// What waiting threads may take until they sleep; one at work takes all of the 0.3 ms that are looked at.
constexpr double most_late_ms(int threads) { return 0.15 + 0.02 * (threads - 1); }

// A process takes a second to open a device, an interpreter more: with `later` the caller does something else meanwhile, then
// says hello().
enum class Hello { now, later };

// One runner process. It never sees memory of this one: inputs are handed over as copies, outputs are copied from what it
// wrote before anybody looks at them. Every function throws Failed when the process does not do as it is told; the
// constructor also Error(unavailable) when it speaks another protocol.
class Runner {
 public:
  // The process ends with the thread that makes this object.
  Runner(const RunnerSetup& setup, const PrivateFolder& folder, Hello when = Hello::now);
  // Waits until the process has begun: the first word to it, said once.
  void hello();
  // The same; false where it cannot begin.
  bool has_begun();

  const Device& device() const { return device_; }
  bool on_host() const { return device_.clock == "steady"; }
  void load(RunnerArm arm, const std::string& library);
  // Buffers for a case, `sets` times over. Without guards outputs keep what they had: for the sanitizer.
  void shape(const Case& c, int sets, bool guards = true);
  // Payloads of all inputs of the case, one after the other, each padded.
  void input(int set, const char* payloads);
  // One verified call; all slots go to `slots`. Returns what runs on after it. On the host the process is stopped as soon as it
  // says that the call has returned: what stands in its buffers then is what the call left.
  Afterwards call(RunnerArm arm, int set, std::uint64_t poison, char* slots);
  void fetch(int set, char* slots);
  // What call `call` of a pass gets: the same again for the same pass seed, and in two processes if they draw alike.
  SampleOrder order(std::uint64_t pass_seed, int call) const;
  const Bytes16& draws() const { return secret_; }
  void draw_like(const Bytes16& draws) { secret_ = draws; }
  // `count` cold calls; sample i is order(seed, i). The process does not know how many follow. Where there are `slots`, what
  // a call left goes there: the last one, or on the host, where the process is stopped between calls and learns nothing of
  // it, any that `look.call` says.
  struct Look {
    char* slots = nullptr;
    int call = last_call;
  };
  static constexpr int last_call = -1;
  PassResult pass(RunnerArm arm, int count, std::uint64_t seed, const Look& look);
  PassResult pass(RunnerArm arm, int count, std::uint64_t seed) { return pass(arm, count, seed, Look{}); }
  const SampleOrder& looked_at() const { return looked_at_; }  // in the last pass with slots
  // What one call of a plan with these inputs leaves, as a number for the bytes of all outputs.
  std::string left_by(RunnerArm arm, const SampleOrder& order);
  // Outputs are poisoned with `poison` before.
  BurstResult burst(RunnerArm arm, int count, std::uint64_t poison);
  bool returns_early(RunnerArm arm);
  // Counters of one cold call, which is repeated as often as they need. For orientation: candidate code could
  // forge them.
  ProfileResult profile(RunnerArm arm, std::span<const std::string_view> metrics);

  int threads_before_load() const { return threads_before_load_; }
  int threads() const { return lines_.child().threads(); }
  // The same when more than `allowed` may be there: one that was joined needs a moment to be gone from /proc,
  // so it is looked at again for a tenth of a second. Threads that end soon after a call are the runner's own
  // to count.
  int lasting_threads(int allowed) const;
  // Whether threads other than the main one still work after a tenth of a second in which nothing was asked for.
  bool works_on();
  const std::string& printed() const { return lines_.child().output(); }
  void abandon() const { lines_.abandon(); }
  Child::Ending finish(int timeout_ms = 10'000) { return lines_.finish(timeout_ms); }

 private:
  template <class... Words>
  Json ask(protocol::Command command, const Words&... words);
  template <class... Words>
  Json ask_within(int limit_s, protocol::Command command, const Words&... words);
  void copy_slots(char* to) const;
  bool works_while_unasked() const;
  Afterwards call_in_place(RunnerArm arm, int set, std::uint64_t poison, char* slots);
  void look_again(int set, const char* slots, Afterwards& after);
  Afterwards sample(const SampleOrder& order, PassResult& pass);
  void sample_in_place(const SampleOrder& order, PassResult& pass);
  void sample_one_by_one(int count, std::uint64_t seed, const Look& look, PassResult& pass);
  void sample_at_once(int count, std::uint64_t seed, PassResult& pass);

  SharedMemory inputs_, outputs_;
  PrivateMemory drawn_;  // inputs of the next call, where the device does not draw them
  HostBuffers in_place_;
  std::string program_;
  bool replays_;  // plans, which need not be asked for call by call
  mutable LineProtocol lines_;
  Device device_;
  Case case_;
  int sets_ = 1;
  std::size_t slots_bytes_ = 0;
  SampleOrder looked_at_;
  Bytes16 secret_ = random_bytes16();  // never leaves this process
  int threads_before_load_ = 0;
  int patience_ = 1;       // factor of every time limit: tools slow a process down
  int load_patience_ = 1;  // beside it, of a load that builds C++
};

}  // namespace explog::bench
