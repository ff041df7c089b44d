// Compression of texts that are kept or sent.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace explog {

std::string compress(std::string_view text);
// Nothing when it is no whole zstd data, wants too much memory, or would be larger than `limit`.
std::optional<std::string> decompress(std::string_view packed, size_t limit);

}  // namespace explog
