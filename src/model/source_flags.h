// What a source asks its compiler for itself, so that a version and what makes it fast stay one file:
//
//     // nvcc: -use_fast_math --maxrregcount=64
//     // link: gemm.o libruntime.a
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog {

// The words of all lines that begin with "// nvcc:".
std::vector<std::string> flags_in_source(std::string_view source);

// The words of all lines that begin with "// link: NAME.o" or ".a": objects and archives beside the source, in the order of
// the linker. Other lines that begin so are comments.
std::vector<std::string> files_to_link(std::string_view source);
// By its name an object or an archive.
bool is_linkable(std::string_view name);

// Only what changes how the source itself is compiled: arithmetic, registers, caches of loads. No macros, files, libraries or
// other programs.
bool may_ask_for(std::string_view flag);
// Those that may, for a hint.
constexpr const char* flags_to_ask_for =
    "-use_fast_math, -ftz=, -prec-div=, -prec-sqrt=, -fmad= (true or false), --maxrregcount=N, "
    "-Xptxas=-dlcm=ca|cg, "
    "-extra-device-vectorization";

// The source with the flag, in the place of one of the same name.
std::string with_flag(std::string_view source, std::string_view flag);

}  // namespace explog
