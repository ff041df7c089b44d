// A fresh folder in which one product is made, and what its compilers read there.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"

namespace explog::bench {

// Stands for the build folder in the words of a command: a byte that no flag of a user's holds, so that an @ in a flag
// is left as it is.
constexpr char here = '\x01';

class BuildFolder {
 public:
  explicit BuildFolder(const std::string& cache);  // throws Error(unavailable)
  ~BuildFolder();
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;

  std::string at(std::string_view name) const { return path_ + "/" + std::string(name); }
  void write(std::string_view name, std::string_view text) const;
  // A name without odd bytes for a folder of the user's: compilers that go through a shell would trip over others.
  void link(std::string_view name, const std::string& folder) const;
  // Runs a compiler. Throws Error(unavailable) when it cannot be started.
  Finished run(std::vector<std::string> argv) const;
  // A text of a compiler's without this folder's name.
  std::string without_path(const std::string& text) const;

 private:
  std::string path_;
};

// Files that a rule of make, as compilers write it for -MD, depends on.
std::vector<std::string> listed_dependencies(std::string_view rule);

}  // namespace explog::bench
