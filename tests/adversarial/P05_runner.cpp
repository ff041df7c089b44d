// task: vector_add
// run: check
// expect: pass|crash
// reason: .*
// keeps: files
// Right; replaces the runner's executable and every object that is mapped from the same folder by a copy with
// bytes appended, written beside it and renamed over it.
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>

static void replace(const std::string& path) {
  std::string copy = path + ".changed";
  {
    std::ifstream in(path, std::ios::binary);
    std::ofstream out(copy, std::ios::binary);
    if (!(out << in.rdbuf() << "changed")) return;
  }
  chmod(copy.c_str(), 0755);
  std::rename(copy.c_str(), path.c_str());
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  static bool done = false;
  char self[PATH_MAX] = "";
  if (done || readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  done = true;
  std::string folder(self, std::strrchr(self, '/'));
  std::set<std::string> files{self};
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    size_t at = line.find(folder + "/");
    if (at != std::string::npos) files.insert(line.substr(at));
  }
  for (const std::string& file : files) replace(file);
}
