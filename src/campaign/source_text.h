// A source as text whose code alone is looked at.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::campaign {

// The same text with blanks for comments and for what quotes hold: positions stay.
std::string code_only(std::string_view source);

// Where `word` stands by itself in `code`, from the top.
std::vector<std::size_t> places_of(std::string_view code, std::string_view word);

// The place behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_bracket(std::string_view code, std::size_t open);

// The next place from `at` on that is no blank.
std::size_t next_sign(std::string_view code, std::size_t at);

// The name at `at`; empty where there is none.
std::string_view name_at(std::string_view code, std::size_t at);

struct Insertion {
  std::size_t at = 0, removed = 0;  // bytes that give way
  std::string text;
};
// In any order; places are those of `source`.
std::string edited(std::string_view source, std::vector<Insertion> insertions);

}  // namespace explog::campaign
