#include "base/own_program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/text.h"

namespace explog {
namespace {

// What the other one is told beside its arguments, and forgets at once.
constexpr const char* parent_name = "EXPLOG_PARENT";
constexpr const char* folder_name = "EXPLOG_FOLDER";

std::vector<std::string> environment_for(const OwnSetup& setup) {
  std::vector<std::string> all = setup.environment;
  if (setup.ends_with_us) all.push_back(std::string(parent_name) + "=" + std::to_string(getpid()));
  if (!setup.folder.empty()) all.push_back(std::string(folder_name) + "=" + setup.folder);
  auto is_given = [&](std::string_view text) {
    std::string_view name = text.substr(0, text.find('=') + 1);
    for (const std::string& given : setup.environment) {
      if (given.starts_with(name)) return true;
    }
    return name == "EXPLOG_PARENT=" || name == "EXPLOG_FOLDER=";
  };
  for (std::string& each : own_environment()) {
    if (!is_given(each)) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace

OwnProgram::OwnProgram(const std::vector<std::string>& arguments)
    : OwnProgram(OwnSetup{arguments, {}, {}, {}}) {}

OwnProgram::OwnProgram(const OwnSetup& setup) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(Exit::unavailable, std::string("cannot make a pipe: ") + std::strerror(errno));
  errors_ = ends[0];
  fcntl(errors_, F_SETFL, O_NONBLOCK);
  start(setup, ends[1]);
}

// Takes the end of the pipe that the other one writes to.
void OwnProgram::start(const OwnSetup& setup, int errors) {
  std::vector<std::string> argv = {"/proc/self/exe"};
  argv.insert(argv.end(), setup.arguments.begin(), setup.arguments.end());
  const char* output = setup.output.empty() ? "/dev/null" : setup.output.c_str();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (!setup.shows) posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (!setup.shows) posix_spawn_file_actions_adddup2(&files, errors, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> environment = environment_for(setup);
  int error = spawn(pid_, files, attributes, argv, pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(errors);
  if (error == 0) return;
  close(errors_);
  throw Error(Exit::unavailable, std::string("cannot start explog again: ") + std::strerror(error));
}

OwnProgram::~OwnProgram() { close(errors_); }

void OwnProgram::send(int signal) {
  if (!ended_) kill(pid_, signal);
}

void OwnProgram::kill_all() {
  if (!ended_) kill(-pid_, SIGKILL);
}

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

void begin_as_told() {
  if (std::string folder = env(folder_name); !folder.empty()) {
    unsetenv(folder_name);
    if (chdir(folder.c_str()) != 0) {
      dprintf(2, "explog: cannot work in %s: %s\n", folder.c_str(), std::strerror(errno));
      _exit(static_cast<int>(Exit::unavailable));
    }
  }
  auto parent = parse_number(env(parent_name));
  if (!parent) return;
  unsetenv(parent_name);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before we could ask to be told of it.
  if (getppid() != static_cast<pid_t>(*parent)) raise(SIGKILL);
}

}  // namespace explog
