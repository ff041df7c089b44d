#include "base/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace explog {

void append_durably(const std::string& path, std::uint64_t from, const std::string& text) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  bool ok =
      fd >= 0 && ftruncate(fd, static_cast<off_t>(from)) == 0 &&
      pwrite(fd, text.data(), text.size(), static_cast<off_t>(from)) == static_cast<ssize_t>(text.size()) &&
      fdatasync(fd) == 0;
  int error = errno;
  if (fd >= 0) close(fd);
  if (!ok) throw Error(Exit::store, "cannot write " + path + ": " + std::strerror(error));
}

}  // namespace explog
