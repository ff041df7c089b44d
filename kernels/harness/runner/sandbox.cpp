#include "sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "seccomp.h"

namespace explog {
namespace {

// From linux/landlock.h, which older systems do not ship.
struct Rules {
  std::uint64_t files, net, scoped;
};
struct PathRule {
  std::uint64_t allowed;
  std::int32_t folder;
} __attribute__((packed));
constexpr std::uint64_t write_file = 1 << 1, make_and_remove = 0x1FF0, refer = 1 << 13,
                        truncate_file = 1 << 14;
constexpr std::uint64_t bind_and_connect = 3, abstract_socket_and_signal = 3;
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;

void allow(int rules, const char* folder, std::uint64_t what) {
  int fd = open(folder, O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  PathRule rule{what, fd};
  syscall(add_rule, rules, 1, &rule, 0);
  close(fd);
}

// When memory runs out, this process goes first and not the supervisor.
void be_first_to_go() {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (write(fd, "1000", 4) < 0) errno = 0;
  close(fd);
}

// Devices that a kernel may write to: those that hold nothing, and GPUs.
std::vector<std::string> writable_devices() {
  std::vector<std::string> names = {"/dev/null", "/dev/zero", "/dev/urandom"};
  DIR* folder = opendir("/dev");
  if (!folder) return names;
  while (dirent* entry = readdir(folder)) {
    if (std::strncmp(entry->d_name, "nvidia", 6) == 0) names.push_back(std::string("/dev/") + entry->d_name);
  }
  closedir(folder);
  return names;
}

std::string enter_landlock() {
  long abi = syscall(create_ruleset, nullptr, 0, 1);
  if (abi < 1) return "no landlock";
  std::uint64_t files =
      write_file | make_and_remove | (abi >= 2 ? refer : 0) | (abi >= 3 ? truncate_file : 0);
  Rules wanted{files, abi >= 4 ? bind_and_connect : 0, abi >= 6 ? abstract_socket_and_signal : 0};
  std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int rules = static_cast<int>(syscall(create_ruleset, &wanted, size, 0));
  if (rules < 0) return "no landlock";
  allow(rules, ".", files);
  // What the candidate compiles at run time is kept there.
  if (const char* folder = std::getenv("EXPLOG_WRITABLE")) allow(rules, folder, files);
  std::uint64_t write = files & (write_file | truncate_file);
  for (const std::string& device : writable_devices()) allow(rules, device.c_str(), write);
  allow(rules, "/proc/self", write);
  bool in_force = syscall(restrict_self, rules, 0) == 0;
  close(rules);
  return in_force ? "landlock " + std::to_string(abi) : "no landlock";
}

}  // namespace

std::string enter_sandbox(bool on_gpu) {
  be_first_to_go();
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "none";
  std::string landlock = enter_landlock();
  bool filtered = refuse_system_calls(on_gpu, std::getenv("EXPLOG_UNDER_TOOL") != nullptr);
  if (landlock == "no landlock" && !filtered) return "none";
  return landlock + (filtered ? ", seccomp" : ", no seccomp");
}

}  // namespace explog
