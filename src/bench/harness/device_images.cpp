#include "bench/harness/device_images.h"

#include "base/child.h"
#include "base/file.h"
#include "bench/code/fatbin.h"
#include "bench/harness/compilers.h"
#include "bench/harness/private_folder.h"
#include "harness/sha256.h"

namespace explog::bench {
namespace {

void unpack(const std::string& cuobjdump, const std::string& file, const std::string& folder) {
  Child child({{cuobjdump, "-xelf", "all", file}, {"PATH=/usr/bin:/bin"}, folder, {}});
  std::string line;
  constexpr int patience_ms = 60'000;
  child.listen(line, patience_ms);
  child.finish(patience_ms);
}

}  // namespace

std::set<std::string> device_images(const std::string& nvcc, const std::string& library) {
  std::set<std::string> hashes;
  std::string tool = find_cuobjdump(nvcc);
  if (tool.empty()) return hashes;
  auto add = [&](const std::string& file) {
    PrivateFolder folder;  // images of two containers may have one name
    unpack(tool, file, folder.path());
    for (const std::string& image : files_in(folder.path())) {
      if (image.ends_with(".cubin")) hashes.insert(Sha256::hex_of(read_file(image)));
    }
  };
  add(library);
  PrivateFolder folder;
  const std::string product = read_file(library), packed = folder.path() + "/data.fatbin";
  for (std::string_view fatbin : fatbins_in_data(product)) {
    write_file(packed, std::string(fatbin));
    add(packed);
  }
  return hashes;
}

}  // namespace explog::bench
