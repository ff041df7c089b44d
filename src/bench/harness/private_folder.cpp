#include "bench/harness/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace explog::bench {

PrivateFolder::PrivateFolder() {
  std::string base = env("TMPDIR");
  path_ = (base.empty() || base[0] != '/' ? "/tmp" : base) + "/explog-bench-XXXXXX";
  if (!mkdtemp(path_.data()))
    throw Error(Exit::unavailable, "cannot make a folder like " + path_ + ": " + std::strerror(errno),
                "set $TMPDIR to a folder that can be written");
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace explog::bench
