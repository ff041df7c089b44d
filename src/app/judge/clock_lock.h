// Clocks of a GPU that stay where they are while kernels are timed.
#pragma once
#include <memory>
#include <string>

#include "app/session/session.h"
#include "base/child.h"
#include "base/file.h"

namespace explog::app {

// Locks the SM clock of the first GPU that CUDA shows us while the object lives. It is a process of its own that locks, and
// that gives the clocks back when we end, however that happens. Nobody's earlier lock comes back: nvidia-smi cannot tell it.
class ClockLock {
 public:
  // `wanted`: MHz, or max. Throws Error(usage) for anything else, Error(unavailable) where there is no GPU or no right to
  // do so, and Error(store, busy) where another explog has locked them.
  ClockLock(const std::string& wanted, const Session& session);
  ~ClockLock();  // a warning where the clocks could not be given back
  ClockLock(const ClockLock&) = delete;
  ClockLock& operator=(const ClockLock&) = delete;

 private:
  const Session* session_;
  std::string gpu_;
  std::unique_ptr<FileLock> ours_;
  std::unique_ptr<Child> keeper_;
};

// Throws Error(usage) for what is neither MHz nor max.
void must_be_a_clock(const std::string& wanted);

}  // namespace explog::app
