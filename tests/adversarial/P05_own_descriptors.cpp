// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: .*
// keeps: files
// Zeros; writes its marker through every descriptor of a regular file or memory file that the runner itself
// has open for writing, where expected values might lie.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <vector>

extern "C" void solve(const float*, const float*, float* z, int N) {
  std::memset(z, 0, sizeof(float) * N);
  for (int fd = 3; fd < 256; ++fd) {
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) continue;
    std::vector<char> zeros(static_cast<size_t>(s.st_size), 0);
    if (pwrite(fd, zeros.data(), zeros.size(), 0) < 0) continue;
  }
}
