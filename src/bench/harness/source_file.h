// Sources of kernels and references, by content, with the files that they include.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/space.h"

namespace explog::bench {

// How PyTorch runs a reference that is a baseline: names of --baseline.
constexpr std::string_view eager_torch = "torch", compiled_torch = "torch.compile";

// A file of a task, by content: from disk or from the program itself.
struct SourceFile {
  std::string name;    // base name
  std::string folder;  // where it lies, for its own #include "...": on disk, or in the program's own kernels/
  std::string text;
  bool embedded = false;                // part of the program, and so are the files it includes
  std::vector<std::string> flags = {};  // of the compiler, for this source alone
  std::string run_by =
      {};  // of a reference that is a baseline: "torch" or "torch.compile"; empty for any other file

  // What people call it.
  const std::string& called() const { return run_by.empty() ? name : run_by; }
};
// Throws Error(usage) when it cannot be read.
SourceFile read_source(const std::string& path);

// The source with its macros defined in front, so that the configuration is part of what is hashed, cached
// and named in the log. Lines keep their numbers. In Python the module's own NAME = ... get the values; throws Error(usage)
// where it has none.
SourceFile configured(const SourceFile& source, const Settings& settings);
// The same under a name of its own: a step of a ladder.
SourceFile configured(const SourceFile& source, const Settings& settings, const std::string& name);

struct IncludedFile {
  std::string name, path, text;  // name: as it is written behind #include
  bool is_linked = false;  // an object or an archive of a line `// link: gemm.o`: no text that anybody reads
};
// The files a source includes by "name" (of Python: modules beside it that it imports, and sources in C++ and CUDA below its
// folder that it names in quotes, with what they include), found from its folder, in order of first use; then those that
// it is linked with. Throws Error(usage) where one of these is not there.
std::vector<IncludedFile> included_files(const SourceFile& source);
// The last ones alone, without a look at the others.
std::vector<IncludedFile> linked_files(const SourceFile& source);

// BLAKE2b-128 over a source and all its included files.
std::string hash_of(const SourceFile& source);

}  // namespace explog::bench
