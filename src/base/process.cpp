#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/ends_with_us.h"
#include "base/error.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/text.h"

extern char** environ;

namespace explog {

std::optional<std::string> find_program(const std::string& name) {
  const std::string folders = env("PATH");  // outlives the views into it
  for (std::string_view folder : split(folders, ':')) {
    std::string path = std::string(folder) + "/" + name;
    if (!folder.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

std::string shell_quoted(const std::string& text) { return "'" + replace_all(text, "'", R"('\'')") + "'"; }

// posix_spawn has no word for it: the child waits a moment for its program to be loaded, which is long enough.
static void limit_memory(pid_t pid, std::size_t bytes) {
  if (bytes == 0) return;
  rlimit limit{bytes, bytes};
  prlimit(pid, RLIMIT_AS, &limit, nullptr);
}

Finished run_program(const std::vector<std::string>& argv, int timeout_ms, std::size_t memory) {
  std::array<int, 2> pipe_fds{};
  if (pipe2(pipe_fds.data(), O_CLOEXEC) != 0)
    throw Error(Exit::unavailable, std::string("pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  int error = spawn(pid, actions, attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_fds[1]);
  if (error != 0) {
    close(pipe_fds[0]);
    throw Error(Exit::unavailable, "cannot start " + printable(argv[0]) + ": " + std::strerror(error));
  }
  EndsWithUs group(pid);
  limit_memory(pid, memory);
  Finished result;
  auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  std::array<char, 4096> chunk{};
  for (;;) {
    auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
            .count();
    pollfd waiting{pipe_fds[0], POLLIN, 0};
    int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      result.timed_out = true;
      kill(-pid, SIGKILL);
      break;
    }
    ssize_t n = read(pipe_fds[0], chunk.data(), chunk.size());
    if (n <= 0) break;
    if (result.output.size() < (size_t{1} << 20)) result.output.append(chunk.data(), static_cast<size_t>(n));
  }
  close(pipe_fds[0]);
  int status = 0;
  wait_for(pid, status);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace explog
