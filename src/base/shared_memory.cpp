#include "base/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace explog {
namespace {

[[noreturn]] void fail(std::size_t bytes) {
  throw Error(Exit::unavailable,
              "cannot get " + std::to_string(bytes >> 20) + " MiB of shared memory: " + std::strerror(errno),
              "use smaller shapes");
}

}  // namespace

// Nobody makes it shorter, which would end who reads beyond the new end, or keeps it from growing.
SharedMemory::SharedMemory() : fd_(memfd_create("explog", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (fd_ < 0 || fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) fail(0);
  reserve(4096);
}

SharedMemory::~SharedMemory() {
  if (data_) munmap(data_, size_);
  if (fd_ >= 0) close(fd_);
}

void SharedMemory::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  std::size_t wanted = (std::max(bytes, size_) + 4095) / 4096 * 4096;
  if (ftruncate(fd_, static_cast<off_t>(wanted)) != 0) fail(wanted);
  if (data_) munmap(data_, size_);
  data_ = nullptr;
  void* p = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (p == MAP_FAILED) fail(wanted);
  data_ = static_cast<char*>(p);
  size_ = wanted;
}

}  // namespace explog
