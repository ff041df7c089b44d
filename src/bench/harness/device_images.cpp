#include "bench/harness/device_images.h"

#include "base/child.h"
#include "base/file.h"
#include "bench/harness/compilers.h"
#include "bench/harness/private_folder.h"
#include "harness/sha256.h"

namespace explog::bench {

std::set<std::string> device_images(const std::string& nvcc, const std::string& library) {
  std::set<std::string> hashes;
  std::string tool = find_cuobjdump(nvcc);
  if (tool.empty()) return hashes;
  PrivateFolder folder;
  Child child({{tool, "-xelf", "all", library}, {"PATH=/usr/bin:/bin"}, folder.path(), {}});
  std::string line;
  constexpr int patience_ms = 60'000;
  child.listen(line, patience_ms);
  child.finish(patience_ms);
  for (const std::string& file : files_in(folder.path())) {
    if (file.ends_with(".cubin")) hashes.insert(Sha256::hex_of(read_file(file)));
  }
  return hashes;
}

}  // namespace explog::bench
