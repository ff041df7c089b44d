// What to do first, and how to find out cheaply that it will not help: from a strategy's prose.
#pragma once
#include <string>
#include <string_view>

namespace explog {

// The first step under "## Steps", on one line, cut at a sentence or word to at most `most` bytes.
std::string first_step(std::string_view prose, std::size_t most = 160);

// The first sentences under "## Falsify cheaply", on one line, cut likewise.
std::string falsifier(std::string_view prose, std::size_t most = 160);

// Whole sentences where at least one fits, else whole words, at most `most` bytes.
std::string shortened(std::string text, std::size_t most);

}  // namespace explog
