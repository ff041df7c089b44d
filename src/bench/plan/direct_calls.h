// What a candidate leaves when it is called, against what its plan leaves.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace explog::bench {

// Of two calls with the same inputs: numbers for the bytes of all outputs.
struct DirectCalls {
  std::array<std::string, 2> hashes;
};

// Two lines of a process that is not believed. Without them nothing is known.
DirectCalls direct_calls_in(std::string_view text);

// Whether a replay with these inputs shows that the plan is not all there is to a call. A kernel that does not repeat itself
// shows nothing.
bool replays_otherwise(const DirectCalls& direct, std::string_view replayed);

}  // namespace explog::bench
