// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|crash|timeout|forged|wrong_values|unwritten_output|nan
// Reads away what the supervisor has written into the runner's pipes, and answers with nothing but zeros.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

extern "C" void solve(const float*, const float*, float* z, int N) {
  std::memset(z, 0, sizeof(float) * N);
  char buffer[4096];
  for (int fd = 0; fd < 256; ++fd) {
    struct stat s;
    int mode = fcntl(fd, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_WRONLY || fstat(fd, &s) != 0 || !S_ISFIFO(s.st_mode)) continue;
    fcntl(fd, F_SETFL, mode | O_NONBLOCK);
    while (read(fd, buffer, sizeof buffer) > 0) {
    }
    fcntl(fd, F_SETFL, mode);
  }
}
