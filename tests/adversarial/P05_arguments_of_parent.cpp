// task: vector_add
// run: check
// expect: pass|crash
// reason: .*
// keeps: files
// Right; appends to every file that the supervisor was started with or has open (candidate, task, database),
// and to the one that EXPLOG_DB names.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

static void touch(const std::string& path) {
  struct stat s;
  if (stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) return;
  int fd = open(path.c_str(), O_WRONLY | O_APPEND);
  if (fd >= 0 && write(fd, "// changed\n", 11) == 11) fsync(fd);
  if (fd >= 0) close(fd);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  static bool done = false;
  if (done) return;
  done = true;
  std::string parent = "/proc/" + std::to_string(getppid());
  std::ifstream in(parent + "/cmdline");
  std::string all((std::istreambuf_iterator<char>(in)), {}), word;
  std::istringstream words(all);
  if (std::getline(words, word, '\0')) {  // the program itself is left alone
    while (std::getline(words, word, '\0')) touch(word[0] == '/' ? word : parent + "/cwd/" + word);
  }
  for (int fd = 3; fd < 64; ++fd) touch(parent + "/fd/" + std::to_string(fd));
  if (const char* db = std::getenv("EXPLOG_DB")) touch(db);
}
