// Memory that is shared with the supervisor.
#pragma once
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>

#include "device.h"

namespace explog {

// A shared file, mapped again whenever it has grown.
class Shared {
 public:
  Shared(int fd, int protection) : fd_(fd), protection_(protection) {}
  char* at(std::size_t offset, std::size_t bytes) {
    if (offset + bytes > size_) map();
    if (offset + bytes > size_) throw Failure("protocol", "beyond the shared memory");
    return base_ + offset;
  }

 private:
  void map() {
    struct stat info {};
    if (fstat(fd_, &info) != 0) throw Failure("protocol", "no shared memory");
    if (base_) munmap(base_, size_);
    size_ = static_cast<std::size_t>(info.st_size);
    void* p = mmap(nullptr, size_, protection_, MAP_SHARED, fd_, 0);
    if (p == MAP_FAILED) throw Failure("out_of_memory", "cannot map the shared memory");
    base_ = static_cast<char*>(p);
  }
  int fd_, protection_;
  char* base_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace explog
