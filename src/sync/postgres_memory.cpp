#include "sync/postgres_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace explog::sync {
namespace {

constexpr rlim_t room = rlim_t{256} << 20;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool usable = false;  // the sanitizer's shadow counts as data
#else
constexpr bool usable = true;
#endif

// Data and stack of this process in bytes; 0 when /proc does not say.
rlim_t data_size() {
  std::ifstream statm("/proc/self/statm");
  rlim_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  statm >> size >> resident >> shared >> text >> library >> data;
  return statm ? data * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

MemoryLimit::MemoryLimit() {
  rlim_t now = usable ? data_size() : 0;
  if (now == 0 || getrlimit(RLIMIT_DATA, &before_) != 0) return;
  rlimit limited = before_;
  limited.rlim_cur = std::min(before_.rlim_cur, now + room);
  set_ = setrlimit(RLIMIT_DATA, &limited) == 0;
}

MemoryLimit::~MemoryLimit() {
  if (set_) setrlimit(RLIMIT_DATA, &before_);
}

}  // namespace explog::sync
