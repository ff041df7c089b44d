#include "base/spawn.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <set>

namespace explog {
namespace {

// No child of ours exists that is not in here, but for one that another thread is starting under the lock.
struct Started {
  std::mutex guard;
  std::set<pid_t> pids;
};

Started& started() {
  static Started the;
  return the;
}

}  // namespace

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

int spawn(pid_t& pid, const posix_spawn_file_actions_t& actions, const posix_spawnattr_t& attributes,
          const std::vector<std::string>& argv, char* const* environment) {
  std::lock_guard lock(started().guard);
  int error = posix_spawn(&pid, argv[0].c_str(), &actions, &attributes, pointers(argv).data(), environment);
  if (error == 0) started().pids.insert(pid);
  return error;
}

pid_t wait_for(pid_t pid, int& status, int flags) {
  // It is looked at first, and leaves the process table and our list together: its number may come again.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | flags) != 0) {
    if (errno == EINTR) continue;
    status = W_EXITCODE(127, 0);
    return -1;
  }
  if (info.si_pid == 0) return 0;
  std::lock_guard lock(started().guard);
  started().pids.erase(pid);
  return waitpid(pid, &status, 0);
}

bool is_orphan(pid_t pid) {
  std::lock_guard lock(started().guard);
  siginfo_t info{};  // only a child can be waited for
  return !started().pids.contains(pid) &&
         waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace explog
