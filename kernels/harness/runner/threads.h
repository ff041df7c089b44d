// Threads of this process, as the kernel counts them.
#pragma once
#include <dirent.h>

namespace explog {

// Opens its view before candidate code is loaded and keeps it: who takes away descriptors or /proc later makes the count
// fail, and a count that fails ends the command.
class Threads {
 public:
  Threads();
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // Threads that run on, as far as there are more than `usual`. Counted at once: one that ends a moment later was at
  // work when solve() returned. Throws Failure("thread_left") when they cannot be counted.
  int count(int usual = 0) const;

 private:
  bool is_exiting(const char* thread) const;
  DIR* folder_;
};

}  // namespace explog
