// Memory that a child process sees too.
#pragma once
#include <cstddef>
#include <string>

namespace explog {

// An anonymous file in memory (memfd) that only grows; a child inherits its descriptor and maps it itself.
class SharedMemory {
 public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // At least `bytes` long; earlier pointers are void afterwards. Throws Error(unavailable) when memory is
  // short.
  void reserve(std::size_t bytes);
  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace explog
