#include "bench/harness/cache.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t cache_limit = std::uintmax_t{1} << 30;

// A build that was ended left it; one that runs holds it.
void remove_stale_lock(const std::string& path) {
  try {
    FileLock lock(path, 0, FileLock::File::goes);
  } catch (const Error&) {  // held
  }
}

// The folder of a build that was ended long ago.
bool left_behind(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.path().filename().string().starts_with("build-") && entry.is_directory(ignored) &&
         entry.last_write_time(ignored) < fs::file_time_type::clock::now() - std::chrono::hours(24);
}

// Of a file, or of all files in a folder.
std::uintmax_t size_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return fs::file_size(path, ignored);
  std::uintmax_t sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path, ignored))
    sum += entry.is_regular_file(ignored) ? entry.file_size(ignored) : 0;
  return sum;
}

}  // namespace

std::string cache_folder() {
  std::string base = env("XDG_CACHE_HOME");
  if (base.empty() || base[0] != '/') base = env("HOME").empty() ? "/tmp" : env("HOME") + "/.cache";
  std::string folder = base + "/explog";
  const char* hint = "it keeps what is compiled: XDG_CACHE_HOME=DIR names another place for it";
  try {
    make_directories(folder);
  } catch (const Error& e) {
    throw Error(Exit::unavailable, e.what(), hint);
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error(Exit::unavailable, "cannot write into " + folder + ": " + std::strerror(errno), hint);
  return folder;
}

void prune_cache(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::uintmax_t total = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (left_behind(entry)) fs::remove_all(entry.path(), ignored);
    bool lock = entry.path().extension() == ".lock";
    if (lock) remove_stale_lock(entry.path().string());
    bool folder_of_python = entry.path().extension() == ".python" && entry.is_directory(ignored);
    if (lock || (!entry.is_regular_file(ignored) && !folder_of_python)) continue;
    total += size_of(entry.path());
    files.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& [time, path] : files) {
    if (total <= cache_limit) return;
    total -= std::min(total, size_of(path));
    fs::remove_all(path, ignored);
  }
}

}  // namespace explog::bench
