// Words of the commands that build the harness and candidates: for the Builder alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bench/harness/toolchain.h"

namespace explog::bench {

inline const std::string harness_folder = "kernels/harness/";
// Of both sides of the runner's protocol.
inline const std::vector<std::string> shared_headers = {harness_folder + "generate.h",
                                                        harness_folder + "protocol.h"};

// A file of the program's own. Throws Error(usage) when it has none of this name.
std::string_view embedded_text(std::string_view path);
// The harness's files below one of its folders, named as they are embedded.
std::vector<std::string> files_below(std::string_view folder);
// A word that names a file of the build folder: -I kernels.
std::string in_here(const std::string& flag, const std::string& name);
// nvcc's flag for device code of one arch (sm_90a) and its PTX. -arch=sm_90a would compile for compute_90 as well, which
// nobody runs: 1.6 times the time of a small kernel (CUDA 13.0).
std::string code_for(const std::string& arch);
// Flags of a backend's row, their blanks filled in.
void add_flags(std::vector<std::string>& command, const std::vector<std::string>& flags,
               const Toolchain& toolchain);

// What a CUDA source asks for in its own text (model/source_flags.h). Throws Error(usage) for a flag that no source may ask
// for.
void add_flags_asked_for(std::vector<std::string>& command, const SourceFile& source,
                         const Toolchain& toolchain);

}  // namespace explog::bench
