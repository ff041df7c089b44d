#include "threads.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "device.h"

namespace explog {
namespace {

[[noreturn]] void unseen() {
  throw Failure("thread_left", "the threads of the process can no longer be counted");
}

}  // namespace

Threads::Threads() : folder_(opendir("/proc/self/task")) {}

Threads::~Threads() {
  if (folder_) closedir(folder_);
}

// The kernel's flag PF_EXITING: a thread that was joined may be listed a moment longer. One whose file cannot be opened
// for another reason than that it is gone counts.
bool Threads::is_exiting(const char* thread) const {
  std::array<char, 512> text{};
  int fd = openat(dirfd(folder_), (std::string(thread) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT || errno == ESRCH;
  ssize_t n = read(fd, text.data(), text.size() - 1);
  close(fd);
  if (n <= 0) return true;  // gone while it was read
  const char* after_name = std::strrchr(text.data(), ')');
  unsigned long flags = 0;
  return after_name && std::sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 &&
         (flags & 4) != 0;
}

int Threads::count(int usual) const {
  if (!folder_) unseen();
  std::vector<std::string> names;
  rewinddir(folder_);
  errno = 0;
  while (dirent* entry = readdir(folder_)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  if (errno != 0 || names.empty()) unseen();  // this thread at least is one
  if (static_cast<int>(names.size()) <= usual) return static_cast<int>(names.size());
  auto running = [&](const std::string& name) { return !is_exiting(name.c_str()); };
  return static_cast<int>(std::count_if(names.begin(), names.end(), running));
}

}  // namespace explog
