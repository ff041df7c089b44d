// What the runner asks of a device; device_cuda.cpp and device_host.cpp answer. All work goes to the default
// stream.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/generate.h"

namespace explog {

// Ends a command: the reason is one of the words of a verdict ("launch_error"), the text is for a person.
struct Failure : std::runtime_error {
  Failure(std::string reason_word, const std::string& text)
      : std::runtime_error(text), reason(std::move(reason_word)) {}
  std::string reason;
};

using Call = void (*)(void**);  // solve() behind an array of argument pointers

// One cold call. A clock that is not there reads 0.
struct Sample {
  double event_ms = 0;   // between two events around the call (host: the steady clock)
  double kernel_ms = 0;  // first start to last end of the device work seen by CUPTI
  int activities = 0;    // kernels, copies and sets that CUPTI saw in the call
};

// State of the machine after a pass.
struct Clocks {
  double sm_mhz = 0;                // mean over the pass, from the cycle counter
  std::uint64_t throttle = 0;       // NVML's reasons
  std::uint64_t persisting_l2 = 0;  // bytes the limit allows; this runner sets 0
};

namespace device {

std::string start();  // opens the device; its facts as the members of a JSON object
void* allocate(std::size_t bytes);
void release(void* p);
// The same from what was given back before, at an address of its own.
void* borrow(std::size_t bytes);
void give_back(void* p);
void copy_in(void* to, const void* from, std::size_t bytes);   // host to device
void copy_out(void* to, const void* from, std::size_t bytes);  // device to host
void copy(void* to, const void* from, std::size_t bytes);      // within the device, not waited for
void poison(void* p, std::size_t bytes, std::uint64_t seed);   // bytes a multiple of 8; not waited for
void fill(void* p, const FillOrder& order);                    // not waited for
// Whether buffers lie in this process's own memory, where the supervisor reads and writes them while it is stopped (host).
bool in_reach();
// Leaves no line of any buffer in the caches: sets persisting ones free, then as below. Not waited for.
// (Host: the supervisor's own work, out of a candidate's reach.)
void flush();
// Writes one region, then reads another. Not waited for. On a GPU alone.
void overwrite_caches();
// Whether launches leave errors behind, which the candidate's own library must be asked for. Where there are none it is
// asked for nothing: code of a candidate's does not run but when it is called.
bool leaves_errors();
void synchronize();  // waits for everything; throws Failure when something went wrong
Clocks clocks();

// Times calls: begin_pass, then for each sample `flush` and `time`, then end_pass with one Sample each.
void begin_pass();
void time(Call call, void** arguments);
std::vector<Sample> end_pass();
Call empty();  // a kernel that does nothing

// The set of call i of a burst: in turn, but the last set is for the last call alone.
inline std::size_t burst_set(int i, int calls, std::size_t sets) {
  if (i == calls - 1) return sets - 1;
  return static_cast<std::size_t>(i) % (sets > 1 ? sets - 1 : 1);
}
// Calls back to back between two events: milliseconds in all.
double burst(Call call, const std::vector<void**>& arguments, int calls);
// Counters of the kernels that `work` launches, by Nsight Compute's names, as members of a JSON object.
// `prepare`, which is not profiled, goes before each of several calls of `work`. Throws Failure("unprofiled")
// with the remedy.
std::string profile(const std::vector<std::string>& metrics, const std::function<void()>& prepare,
                    const std::function<void()>& work);
// Whether a call returns while the device is still busy with earlier work.
bool returns_early(Call call, void** arguments);

}  // namespace device
}  // namespace explog
