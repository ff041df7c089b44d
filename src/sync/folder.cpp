#include "sync/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include "base/hash.h"

namespace explog::sync {
namespace {

constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

// Writes and closes; the reason when it fails.
std::string write_and_close(int fd, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  bool whole = done == bytes.size() && fsync(fd) == 0;
  std::string reason = whole ? "" : std::strerror(errno);
  if (close(fd) != 0 && whole) reason = std::strerror(errno);  // NFS tells of a full disk here
  return reason;
}

}  // namespace

Folder::~Folder() {
  if (fd_ >= 0) close(fd_);
}
Folder::Folder(Folder&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
Folder& Folder::operator=(Folder&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Folder Folder::open(const std::string& path) { return Folder(::open(path.c_str(), directory_flags)); }

Folder Folder::enter(const std::string& name) const {
  return Folder(openat(fd_, name.c_str(), directory_flags | O_NOFOLLOW));
}

bool Folder::make(const std::string& name) const {
  return mkdirat(fd_, name.c_str(), 0777) == 0 || errno == EEXIST;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  int fd = openat(fd_, ".", directory_flags);
  std::unique_ptr<DIR, int (*)(DIR*)> stream(fd < 0 ? nullptr : fdopendir(fd), closedir);
  if (!stream) return names;
  while (const dirent* entry = readdir(stream.get())) names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Folder::Content> Folder::read(const std::string& name, size_t limit) const {
  // Not blocking: a pipe that somebody put there would otherwise stop us.
  int fd = openat(fd_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct stat info {};
  bool usable = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= static_cast<off_t>(limit);
  Content content;
  if (usable) {
    content.age_s = static_cast<std::int64_t>(std::time(nullptr)) - info.st_mtime;
    content.bytes.resize(static_cast<size_t>(info.st_size));
    size_t done = 0;
    while (done < content.bytes.size()) {
      ssize_t n = ::read(fd, content.bytes.data() + done, content.bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<size_t>(n);
    }
    content.bytes.resize(done);
  }
  close(fd);
  return usable ? std::optional(std::move(content)) : std::nullopt;
}

std::string Folder::write(const std::string& name, const std::string& bytes) const {
  std::string fresh = ".tmp-" + hex(random_bytes16());
  int fd = openat(fd_, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0) return std::strerror(errno);
  std::string reason = write_and_close(fd, bytes);
  if (reason.empty() && renameat(fd_, fresh.c_str(), fd_, name.c_str()) != 0) {
    int why = errno;
    reason = std::strerror(why);
    // Some mounted buckets cannot rename: the digest in the name tells a half-written file there.
    if (why == ENOSYS || why == EPERM || why == EINVAL) {
      fd = openat(fd_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      reason = fd < 0 ? std::strerror(errno) : write_and_close(fd, bytes);
      unlinkat(fd_, fresh.c_str(), 0);
    }
  }
  if (!reason.empty()) unlinkat(fd_, fresh.c_str(), 0);
  if (reason.empty()) fsync(fd_);
  return reason;
}

void Folder::remove(const std::string& name) const { unlinkat(fd_, name.c_str(), 0); }

}  // namespace explog::sync
