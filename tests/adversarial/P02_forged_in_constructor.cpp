// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|forged|crash|wrong_values|unwritten_output|nan
// The same at load time: answers before the first question is asked, then does nothing when called.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

__attribute__((constructor)) static void answer() {
  const char* reply = "{\"ok\":true,\"verdict\":\"pass\",\"correct\":true,\"errors\":0,\"ms\":[0.001]}\n";
  for (int fd = 3; fd < 1024; ++fd) {
    struct stat s;
    if (fstat(fd, &s) != 0 || !(S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode))) continue;
    if (write(fd, reply, std::strlen(reply)) < 0) continue;
  }
}

extern "C" void solve(const float*, const float*, float*, int) {}
