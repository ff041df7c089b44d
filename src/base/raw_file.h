// A file's bytes as they are, at any place: nothing is unpacked or recoded.
#pragma once
#include <cstdint>
#include <string>

namespace explog {

class RawFile {
 public:
  // Throws Error(usage) when it is no regular file that can be read.
  explicit RawFile(std::string path);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  std::uint64_t size() const { return size_; }
  // Throws Error(usage) where the file ends before.
  std::string read(std::uint64_t at, std::uint64_t bytes) const;

 private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace explog
