// Single changes of a kernel's source that a walk may try where nobody declared a knob: text in, text out.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::campaign {

enum class Language { cuda, cxx };

struct SourceEdit {
  std::string strategy;  // "loop_unroll"
  std::string change;    // the same words wherever the same change is made: "#pragma unroll 4 at loop 2 of 3"
  std::string text;      // the source with it, otherwise to the byte the same
};

// CUDA: launch bounds, unrolling, restrict, loads through the read-only cache, fast intrinsics, flags of nvcc. C++: unrolling,
// restrict, what the compiler may do. Each from the top of the source on; what a source has already is turned, not added again.
std::vector<SourceEdit> source_edits(std::string_view source, Language language);

}  // namespace explog::campaign
