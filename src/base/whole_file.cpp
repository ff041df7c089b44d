#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace explog {
namespace {

[[noreturn]] void out_of_reach(const std::string& what, const std::string& path) {
  throw Error(Exit::remote, "cannot " + what + " " + path + ": " + std::strerror(errno),
              "is the folder still mounted, and may you write there?");
}

bool write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return fsync(fd) == 0;
}

// A file of a name that nobody else uses, on disk, beside the one that is meant. It goes with this object.
class Draft {
 public:
  Draft(const std::string& path, const std::string& text) {
    std::size_t slash = path.rfind('/');
    name_ = path.substr(0, slash + 1) + ".new-" + hex(random_bytes16());
    int fd = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) out_of_reach("write", path);
    bool ok = write_all(fd, text);
    ok = close(fd) == 0 && ok;  // a network file system may refuse only here
    if (ok) return;
    int error = errno;
    unlink(name_.c_str());
    errno = error;
    out_of_reach("write", path);
  }
  ~Draft() { unlink(name_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const char* name() const { return name_.c_str(); }

 private:
  std::string name_;
};

}  // namespace

bool put_once(const std::string& path, const std::string& text) {
  Draft draft(path, text);
  if (link(draft.name(), path.c_str()) == 0) return true;
  int error = errno;
  // The answer of a server may be lost and the step repeated: the number of names tells who made it.
  struct stat info {};
  if (stat(draft.name(), &info) == 0 && info.st_nlink == 2) return true;
  if (error == EEXIST) return false;
  errno = error;
  out_of_reach("make", path);
}

void put_over(const std::string& path, const std::string& text) {
  Draft draft(path, text);
  if (rename(draft.name(), path.c_str()) != 0) out_of_reach("replace", path);
}

std::optional<std::string> look_into(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return std::nullopt;
  if (fd < 0) out_of_reach("read", path);
  std::string text;
  char part[8192];
  for (;;) {
    ssize_t n = read(fd, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      int error = errno;
      close(fd);
      errno = error;
      out_of_reach("read", path);
    }
    if (n == 0) break;
    text.append(part, static_cast<std::size_t>(n));
  }
  close(fd);
  return text;
}

}  // namespace explog
