// Constants of a CUDA or C++ source that somebody may want to tune, though nobody declared them: found by their text, offered,
// and never used before they are declared.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/tuning_space.h"

namespace explog {

struct FoundConstant {
  DeclaredKnob knob;  // place: "mine.cu:3: #define"
  double original = 0;
  std::string needs;  // what must be written before a search can set it; empty where nothing is missing
};

// `#define BLOCK 256` and `constexpr int TILE = 32;` (const, static, unsigned, size_t alike) where the number is a power of two
// from 2 to 4096 and the name is used elsewhere: half, itself and twice. What has two values in the source, and what hardware
// fixes (WARP_SIZE), is left out. In the order of the source, at most 16.
std::vector<FoundConstant> found_in_cuda(std::string_view source, const std::string& file);

}  // namespace explog
