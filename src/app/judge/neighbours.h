// What else explog does on this machine while something is timed, and whether it may have disturbed.
#pragma once
#include <cstddef>
#include <string>

#include "app/session/session.h"

namespace explog::app {

// At one moment, of this user's processes.
struct Neighbours {
  std::size_t gpus = 0;       // other GPUs that somebody times on
  std::size_t compilers = 0;  // that run
};

// By the locks in the folders of leased GPUs, of which this process or the one that started it holds one, and of compilers.
Neighbours neighbours_now(const std::string& gpu_locks, const std::string& compiler_locks);

// Looks at them now and then while a measurement tells how far it is, and remembers the most that it saw.
class NeighbourWatch {
 public:
  // Hears what `progress` hears; valid while the watch lives.
  Listener listener(const Listener& progress);
  const Neighbours& most() const { return most_; }

 private:
  Neighbours most_;
};

// What to say of a measurement whose two equal kernels may seem `noise` apart (relative); empty where that is little, or
// nobody was there.
std::string disturbance(const Neighbours& seen, double noise);

}  // namespace explog::app
