// Folders that strangers write in too: names are never followed out of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace explog::sync {

// An open directory. Everything in it is reached by a single plain name, and no symbolic link is followed.
class Folder {
 public:
  Folder() = default;
  explicit Folder(int fd) : fd_(fd) {}
  ~Folder();
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&& other) noexcept;
  explicit operator bool() const { return fd_ >= 0; }

  // Nothing when there is no such directory; errno says why.
  static Folder open(const std::string& path);
  Folder enter(const std::string& name) const;
  bool make(const std::string& name) const;  // also when it is there

  std::vector<std::string> names() const;
  struct Content {
    std::string bytes;
    std::int64_t age_s = 0;
  };
  // A regular file of at most `limit` bytes; nothing when there is none.
  std::optional<Content> read(const std::string& name, size_t limit) const;
  // Under a name of its own first, safe on the disk, and then at once: nobody sees half a file. The reason
  // when it fails, empty when it is done.
  std::string write(const std::string& name, const std::string& bytes) const;
  void remove(const std::string& name) const;

 private:
  int fd_ = -1;
};

}  // namespace explog::sync
