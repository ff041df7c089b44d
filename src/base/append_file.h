// Files that only grow: what was appended is on disk.
#pragma once
#include <cstdint>
#include <string>

namespace explog {

// Writes `text` behind the first `from` bytes of the file, which is made where there is none, and waits until it is
// on disk; what was behind them goes. Throws Error(store).
void append_durably(const std::string& path, std::uint64_t from, const std::string& text);

}  // namespace explog
