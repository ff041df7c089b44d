#include "base/raw_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace explog {
namespace {

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error(Exit::usage, "cannot read " + printable(path) + ": " + why);
}

}  // namespace

RawFile::RawFile(std::string path) : path_(std::move(path)) {
  fd_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not hold us up
  if (fd_ < 0) cannot_read(path_, std::strerror(errno));
  struct stat about {};
  if (fstat(fd_, &about) == 0 && S_ISREG(about.st_mode)) {
    size_ = static_cast<std::uint64_t>(about.st_size);
    return;
  }
  close(fd_);
  cannot_read(path_, "it is no regular file");
}

RawFile::~RawFile() { close(fd_); }

std::string RawFile::read(std::uint64_t at, std::uint64_t bytes) const {
  if (at > size_ || bytes > size_ - at) cannot_read(path_, "it ends too soon");
  std::string text(bytes, '\0');
  for (std::size_t done = 0; done < bytes;) {
    ssize_t n = pread(fd_, text.data() + done, bytes - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) cannot_read(path_, n < 0 ? std::strerror(errno) : "it ends too soon");
    done += static_cast<std::size_t>(n);
  }
  return text;
}

}  // namespace explog
