// Where a candidate runs: a private folder, and memory shared with the helper processes.
#pragma once
#include <string>

#include "base/shared_memory.h"

namespace explog::bench {

// A folder of mode 0700 under $TMPDIR (else /tmp), removed with the object.
class PrivateFolder {
 public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace explog::bench
