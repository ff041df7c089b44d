// A bound on what this process may allocate while a stranger's server talks to it.
#pragma once
#include <sys/resource.h>

namespace explog::sync {

// libpq reads a row whole, as long as the server says it is (up to 1 GiB). While this object lives, the data
// of the process may grow by 256 MiB; what goes beyond fails in libpq as "out of memory" and ends the
// connection.
class MemoryLimit {
 public:
  MemoryLimit();
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool set_ = false;
};

}  // namespace explog::sync
