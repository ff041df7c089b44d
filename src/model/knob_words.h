// A change of one tuning parameter, as people write it: "num_warps 4->8", "BLOCK_M=128 -> 256", "fewer stages".
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

struct KnobChange {
  std::string knob;                // as it was written, lower case, blanks between words: "block m"
  std::optional<double> from, to;  // as far as they were written
  int direction = 0;               // 1 more, -1 less, 0: it does not say, or there is no more and less
};

// Nothing where the text says anything else besides, or contradicts itself ("increase num_warps 8 -> 4").
std::optional<KnobChange> knob_change(std::string_view text);

// The strategies that such a change can stand for in a backend, the best first: "num_warps:up", then the one
// that only says that the knob is tuned. Empty for a knob that is not known.
std::vector<std::string> strategies_of(const KnobChange& change, std::string_view backend);

}  // namespace explog
