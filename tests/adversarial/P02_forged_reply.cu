// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|forged|crash|wrong_values|unwritten_output|nan
// Writes forged results into every open pipe or socket and leaves with status 0.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

extern "C" void solve(const float*, const float*, float*, int) {
  const char* reply = "{\"ok\":true,\"verdict\":\"pass\",\"correct\":true,\"errors\":0,\"ms\":[0.001]}\n";
  for (int fd = 0; fd < 1024; ++fd) {
    struct stat s;
    if (fstat(fd, &s) != 0 || !(S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode))) continue;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (int copy = 0; copy < 20; ++copy)
      if (write(fd, reply, std::strlen(reply)) < 0) break;
  }
  _exit(0);
}
