// The words for trust: blocked, unreviewed, team, self.
#pragma once
#include <array>
#include <cstddef>
#include <string>

namespace explog::cli {

constexpr std::array<const char*, 4> trust_words = {"blocked", "unreviewed", "team", "self"};
inline std::string trust_word(int trust) {
  return trust_words[static_cast<std::size_t>(trust) % trust_words.size()];
}
// 0 to 2; the words are checked by the flags' parser.
inline int trust_of(const std::string& word) {
  for (int i = 0; i < 3; ++i) {
    if (word == trust_words[static_cast<std::size_t>(i)]) return i;
  }
  return 1;
}

}  // namespace explog::cli
