// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|forged|crash|wrong_values|unwritten_output|timeout|thread_left|nan
// Puts a pipe of its own behind every pipe that is open for writing; a thread passes the lines on, with
// "false" and "fail" turned into what sounds better. Writes zeros.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

static void pass_on(int from, int to) {
  char buffer[65536];
  for (ssize_t got; (got = read(from, buffer, sizeof buffer)) > 0;) {
    std::string text(buffer, static_cast<size_t>(got));
    for (auto [bad, good] : {std::pair{"false", "true "}, std::pair{"fail", "pass"}})
      for (size_t at; (at = text.find(bad)) != std::string::npos;) text.replace(at, std::strlen(bad), good);
    if (write(to, text.data(), text.size()) < 0) return;
  }
}

__attribute__((constructor)) static void interpose() {
  for (int fd = 1; fd < 256; ++fd) {
    struct stat s;
    int mode = fcntl(fd, F_GETFL), ends[2];
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY || fstat(fd, &s) != 0 || !S_ISFIFO(s.st_mode)) continue;
    int real = fcntl(fd, F_DUPFD, 512);
    if (real < 0 || pipe(ends) != 0) continue;
    dup2(ends[1], fd);
    close(ends[1]);
    std::thread(pass_on, ends[0], real).detach();
  }
}

extern "C" void solve(const float*, const float*, float* z, int N) { std::memset(z, 0, sizeof(float) * N); }
