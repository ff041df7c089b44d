// Text that came with records was written by others: it is shown as data, marked as such, or not at all.
#pragma once
#include <string>
#include <string_view>

#include "model/json.h"
#include "model/trust.h"

namespace explog::mcp {

constexpr std::size_t longest_note = 500;  // bytes of one text

// A word of a record where it is a name and nothing else ("gemm", "sm_90", "block_x:up"); "" where it could be prose.
std::string plain_name(std::string_view text);

// Harmless on one line, and cut.
std::string data_text(std::string_view text);
// {"untrusted_text": TEXT, "trust": WORD}
void write_untrusted(JsonWriter& json, std::string_view text, Trust trust);

// A mark that nobody can know before the answer is made.
std::string new_mark();
// `text` between two lines that hold the mark, and a line before them that says what it is.
std::string fenced(std::string_view text, const std::string& mark);

}  // namespace explog::mcp
