// The buffers of a runner on the host, from outside: its process is stopped while they are filled and looked at.
#pragma once
#include <cstdint>
#include <vector>

#include "base/child.h"
#include "base/private_memory.h"
#include "bench/judge/case.h"
#include "model/json.h"

namespace explog::bench {

// What one call of a pass needs and leaves, as the supervisor asks for it.
struct SampleOrder {
  int set = 0;
  std::uint64_t seed = 0, poison = 1;  // of the inputs; of what outputs hold before
};

// Throws Failed where the process took its buffers away, ran while it was stopped, or may not be written to.
class HostBuffers {
 public:
  // Where the slots lie, by `shape`'s answer: a list for each set with the address of each argument, 0 for a scalar.
  void find(const Json& addresses, const Case& c);
  // Inputs (payloads of all, one after the other, each padded) and poison of the next call.
  void put(const Child& child, const Case& c, int set, const char* payloads, std::uint64_t poison);
  // The same with inputs that are drawn here, then nothing of any buffer in the caches. Only what nobody else can reach is trusted
  // to empty them: memory of this process.
  void fill(const Child& child, const Case& c, const SampleOrder& order, double flush_bytes);
  // All slots of a set, one after the other.
  void read(const Child& child, const Case& c, int set, char* slots) const;
  // Whether the slots of that set still hold these bytes.
  bool hold(const Child& child, const Case& c, int set, const char* slots) const;

 private:
  void write(const Child& child, int set, std::size_t argument, std::size_t offset, const char* from,
             std::size_t bytes) const;
  void flush(double bytes);
  std::vector<std::vector<std::uint64_t>> addresses_;  // by set and argument
  PrivateMemory inputs_;
  std::vector<std::uint64_t> written_, read_;
  std::uint64_t round_ = 0;
};

}  // namespace explog::bench
