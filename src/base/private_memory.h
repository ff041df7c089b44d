// Memory of this process alone, for bytes that nobody else may change.
#pragma once
#include <cstddef>
#include <memory>

namespace explog {

class PrivateMemory {
 public:
  // At least `bytes` long; earlier contents and pointers are void where it grows.
  void reserve(std::size_t bytes) {
    if (bytes <= size_) return;
    bytes_.reset();
    bytes_ = std::make_unique_for_overwrite<char[]>(bytes);
    size_ = bytes;
  }
  char* data() const { return bytes_.get(); }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

}  // namespace explog
