// Constants of a source that a walk may turn: text in, text out.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::campaign {

struct KnobEdit {
  std::string name;  // as the source calls it: BLOCK_M
  long from = 0, to = 0;
  std::string text;  // the source with the other value, otherwise to the byte the same
};

// Each constant that is a whole number from 2 to 65536, written out where it is defined (`constexpr int threads =
// 256;`, `#define UNROLL 4`), doubled and, where it is even and above 2, halved; in the order of the source.
std::vector<KnobEdit> knob_edits(std::string_view source);

}  // namespace explog::campaign
