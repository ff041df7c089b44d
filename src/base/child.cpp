#include "base/child.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/settled.h"
#include "base/spawn.h"
#include "base/text.h"

namespace explog {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t reply_limit = std::size_t{64} << 20, output_limit = std::size_t{64} << 10;

struct Pipe {
  int read = -1, write = -1;
};

// Descriptors at 64 and above: out of the way of those the child gets (3 to 15).
Pipe make_pipe() {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0)
    throw Error(Exit::unavailable, std::string("pipe: ") + std::strerror(errno));
  Pipe high{fcntl(fds[0], F_DUPFD_CLOEXEC, 64), fcntl(fds[1], F_DUPFD_CLOEXEC, 64)};
  close(fds[0]);
  close(fds[1]);
  if (high.read < 0 || high.write < 0)
    throw Error(Exit::unavailable, std::string("pipe: ") + std::strerror(errno));
  return high;
}

// A socket rather than a pipe: writing to a child that is gone must not raise SIGPIPE.
Pipe make_socket() {
  std::array<int, 2> fds{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
    throw Error(Exit::unavailable, std::string("socketpair: ") + std::strerror(errno));
  Pipe high{fcntl(fds[0], F_DUPFD_CLOEXEC, 64), fcntl(fds[1], F_DUPFD_CLOEXEC, 64)};
  close(fds[0]);
  close(fds[1]);
  return high;
}

int milliseconds_until(Steady::time_point deadline) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

[[noreturn]] void unreadable(const std::string& path) {
  throw Error(Exit::unavailable, "cannot read " + path + ": " + std::strerror(errno),
              "without it nobody can see what a candidate leaves behind");
}

// Numbers of the entries of a /proc folder; none where its process is gone. A look that fails is an error: what cannot be
// seen is not absent.
std::vector<int> numbered_entries(const std::string& folder) {
  std::vector<int> result;
  DIR* dir = opendir(folder.c_str());
  if (!dir && errno == ENOENT) return result;
  if (!dir) unreadable(folder);
  errno = 0;
  while (dirent* entry = readdir(dir)) {
    if (int number = std::atoi(entry->d_name); number > 0) result.push_back(number);
  }
  int failed = std::exchange(errno, 0);
  closedir(dir);
  errno = failed;
  if (failed != 0 && failed != ENOENT && failed != ESRCH) unreadable(folder);
  return result;
}

// What can be read of it: a file of /proc fails in the middle when its process ends.
std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The words that start the child in its folder. Whatever our caller left open is not the child's business.
#if __GLIBC_PREREQ(2, 34)
std::vector<std::string> confined(posix_spawn_file_actions_t& actions, const ChildSetup& setup) {
  posix_spawn_file_actions_addclosefrom_np(&actions, static_cast<int>(5 + setup.shared.size()));
  posix_spawn_file_actions_addchdir_np(&actions, setup.folder.c_str());
  return setup.argv;
}
#else  // An older glibc can do neither: env changes the folder, and what we do not hand over closes itself.
std::vector<std::string> confined(posix_spawn_file_actions_t&, const ChildSetup& setup) {
  for (int fd : numbered_entries("/proc/self/fd")) {
    if (fd > 2) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  std::vector<std::string> argv = {"/usr/bin/env", "-C", setup.folder};
  argv.insert(argv.end(), setup.argv.begin(), setup.argv.end());
  return argv;
}
#endif

}  // namespace

Child::Child(const ChildSetup& setup) {
  mark_ = "EXPLOG_CHILD=" + hex(random_bytes16());
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans come to us instead of to init
  Pipe commands = make_socket(), replies = make_pipe(), output = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write, 1);
  posix_spawn_file_actions_adddup2(&actions, output.write, 2);
  posix_spawn_file_actions_adddup2(&actions, commands.read, 3);
  posix_spawn_file_actions_adddup2(&actions, replies.write, 4);
  std::vector<int> high;  // copies, because a descriptor may itself be 5 or 6 here
  for (std::size_t i = 0; i < setup.shared.size(); ++i) {
    high.push_back(fcntl(setup.shared[i], F_DUPFD_CLOEXEC, 64));
    posix_spawn_file_actions_adddup2(&actions, high.back(), static_cast<int>(5 + i));
  }
  std::vector<std::string> argv = confined(actions, setup);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // and so a group, and no terminal
  std::vector<std::string> environment = setup.environment;
  environment.push_back(mark_);
  int error = spawn(pid_, actions, attributes, argv, pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  for (int fd : high) close(fd);
  for (int fd : {output.write, commands.read, replies.write}) close(fd);
  commands_ = commands.write;
  replies_fd_ = replies.read;
  output_fd_ = output.read;
  if (error == 0) return;
  pid_ = -1;
  for (int fd : {commands_, replies_fd_, output_fd_}) close(fd);
  throw Error(Exit::unavailable, "cannot start " + printable(setup.argv[0]) + ": " + std::strerror(error));
}

Child::~Child() {
  try {
    if (pid_ > 0) finish(0);
  } catch (const Error&) {  // who wants to know what was left behind calls finish()
  }
}

void Child::send(const std::string& line) {
  if (pid_ <= 0) return;
  std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    ssize_t n = ::send(commands_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

void Child::drain(int fd, std::string& into, std::size_t limit, bool& open) {
  std::array<char, 16384> chunk{};
  ssize_t n = read(fd, chunk.data(), chunk.size());
  if (n < 0 && errno == EINTR) return;
  open = n > 0;
  if (n > 0 && into.size() < limit)
    into.append(chunk.data(), std::min(static_cast<std::size_t>(n), limit - into.size()));
}

Child::Heard Child::listen(std::string& line, int timeout_ms) {
  auto deadline = Steady::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    if (std::size_t end = replies_.find('\n'); end != std::string::npos) {
      line = replies_.substr(0, end);
      replies_.erase(0, end + 1);
      return Heard::line;
    }
    if (!replies_open_ || replies_.size() >= reply_limit) return Heard::end;
    std::array<pollfd, 2> waiting{pollfd{replies_fd_, POLLIN, 0},
                                  pollfd{output_open_ ? output_fd_ : -1, POLLIN, 0}};
    int ready = poll(waiting.data(), waiting.size(), milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Heard::timeout;
    if (waiting[1].revents != 0) drain(output_fd_, output_, output_limit, output_open_);
    if (waiting[0].revents != 0) drain(replies_fd_, replies_, reply_limit, replies_open_);
  }
}

int Child::threads() const {
  return static_cast<int>(numbered_entries("/proc/" + std::to_string(pid_) + "/task").size());
}

double Child::cpu_ms_beside_main() const {
  double sum = 0;
  std::string folder = "/proc/" + std::to_string(pid_) + "/task";
  for (int thread : numbered_entries(folder)) {
    if (thread == pid_) continue;
    std::string path = folder + "/" + std::to_string(thread);
    std::string text = slurp(path + "/schedstat");  // nanoseconds on a processor, then two other numbers
    if (text.empty() && access(path.c_str(), F_OK) == 0) unreadable(path + "/schedstat");
    sum += std::strtod(text.c_str(), nullptr) * 1e-6;
  }
  return sum;
}

// The system says what a thread waits for when it is off its processor, and not before. A thread that ends is not stopped: who
// joins it goes on while the system still closes its files, for which it says that it runs.
void Child::wait_until_off() const {
  constexpr std::chrono::milliseconds where_it_says_nothing(200), to_end(1000);
  const Steady::time_point latest = Steady::now() + to_end;
  std::string folder = "/proc/" + std::to_string(pid_) + "/task";
  bool said = true;
  for (int thread : numbered_entries(folder)) {
    const std::string file = folder + "/" + std::to_string(thread) + "/syscall";
    std::string waits = slurp(file);
    while (waits.starts_with("running") && Steady::now() < latest) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      waits = slurp(file);
    }
    said = said && (!waits.empty() || access(file.c_str(), F_OK) != 0);
  }
  if (!said) settled([&] { return cpu_ms(); }, where_it_says_nothing);
}

double Child::waited_for_processor_ms() const {
  std::string path = "/proc/" + std::to_string(pid_) + "/schedstat", text = slurp(path);
  if (text.empty() && access(path.c_str(), F_OK) == 0) unreadable(path);
  std::size_t first_ends = text.find(' ');
  return first_ends == std::string::npos ? 0 : std::strtod(text.c_str() + first_ends, nullptr) * 1e-6;
}

// Ours: by the mark in its environment; or an orphan that came to this process, the subreaper, with no
// child's mark at all (it replaced its environment). Where children run side by side the first to end answers
// for those.
bool Child::is_descendant(int process) const {
  if (process == pid_) return false;
  std::string environment = slurp("/proc/" + std::to_string(process) + "/environ");
  if (environment.find(mark_) != std::string::npos) return true;
  return environment.find("EXPLOG_CHILD=") == std::string::npos && is_orphan(process);
}

int Child::sweep() const {
  std::set<int> killed;
  // Again until nothing new is found: a process may fork while we look, and those killed become ours to wait
  // for only when their parent has died too.
  for (std::size_t before = 1; before != killed.size();) {
    before = killed.size();
    for (int process : numbered_entries("/proc")) {
      if (!is_descendant(process)) continue;
      kill(process, SIGKILL);
      killed.insert(process);
    }
    for (int process : killed) waitpid(process, nullptr, 0);
  }
  return static_cast<int>(killed.size());
}

void Child::abandon() const {
  if (pid_ <= 0) return;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
}

Child::Ending Child::finish(int timeout_ms) {
  if (pid_ <= 0) return ending_;  // signals to -1 would go to every process there is
  close(std::exchange(commands_, -1));
  resume();
  auto deadline = Steady::now() + std::chrono::milliseconds(timeout_ms);
  int status = 0;
  pid_t ended = 0;
  while ((ended = wait_for(pid_, status, WNOHANG)) == 0 && Steady::now() < deadline) {
    pollfd waiting{output_open_ ? output_fd_ : -1, POLLIN, 0};
    if (poll(&waiting, 1, 5) > 0) drain(output_fd_, output_, output_limit, output_open_);
  }
  if (ended == 0) {
    abandon();
    wait_for(pid_, status);
  }
  ending_.left_behind = sweep();
  kill(-pid_, SIGKILL);
  while (waitpid(-pid_, nullptr, 0) >
         0) {  // members of the group that were killed with it, or they stay zombies
  }
  ending_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  for (bool more = output_open_; more;) {
    pollfd waiting{output_fd_, POLLIN, 0};
    if (poll(&waiting, 1, 0) <= 0) break;
    drain(output_fd_, output_, output_limit, more);
  }
  for (int* fd : {&replies_fd_, &output_fd_}) close(std::exchange(*fd, -1));
  pid_ = -1;
  return ending_;
}

}  // namespace explog
