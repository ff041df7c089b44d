#include "base/own_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/spawn.h"

namespace explog {

OwnProgram::OwnProgram(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(Exit::unavailable, std::string("cannot make a pipe: ") + std::strerror(errno));
  std::vector<std::string> argv = {"/proc/self/exe"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  int error = spawn(pid_, files, attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  errors_ = ends[0];
  fcntl(errors_, F_SETFL, O_NONBLOCK);
  if (error == 0) return;
  close(errors_);
  throw Error(Exit::unavailable, std::string("cannot start explog again: ") + std::strerror(error));
}

OwnProgram::~OwnProgram() { close(errors_); }

void OwnProgram::listen() {
  constexpr std::size_t most = 65536;
  char part[4096];
  for (ssize_t n; (n = read(errors_, part, sizeof part)) > 0;) {
    if (said_.size() < most) said_.append(part, static_cast<std::size_t>(n));
  }
}

bool OwnProgram::has_ended() {
  if (ended_) return true;
  listen();
  int status = 0;
  if (wait_for(pid_, status, WNOHANG) == 0) return false;
  listen();
  ended_ = true;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

}  // namespace explog
