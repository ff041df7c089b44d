// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: wrong_values|unwritten_output|crash|nan
// Looks for the answer in the files of its own folder, the folder above, the temporary folder and the
// descriptors of the process above; zeros when it finds none.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static bool look(const fs::path& folder, const float* want, size_t count, float* z, size_t n) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (!entry.is_regular_file(ignored) || entry.file_size(ignored) > (64u << 20)) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
    for (size_t i = 0; i + n * 4 <= bytes.size(); i += 4) {
      if (std::memcmp(&bytes[i], want, count * 4) != 0) continue;
      std::memcpy(z, &bytes[i], n * 4);
      return true;
    }
  }
  return false;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  float want[4] = {};
  size_t count = N < 4 ? static_cast<size_t>(N) : 4, n = static_cast<size_t>(N);
  for (size_t i = 0; i < count; ++i) want[i] = x[i] + y[i];
  std::string parent = "/proc/" + std::to_string(getppid());
  const char* tmp = std::getenv("TMPDIR");
  static int searches = 0;  // the first calls only: a search takes long
  const std::string folders[] = {".", "..", tmp ? tmp : "/tmp", parent + "/cwd", parent + "/fd"};
  for (const std::string& folder : folders)
    if (searches < 20 && ++searches && look(folder, want, count, z, n)) return;
  std::memset(z, 0, sizeof(float) * N);
}
