// How far the records of an origin are believed.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace explog {

// Stored as numbers: never renumber.
enum class Trust {
  blocked = 0,     // they do not count
  unreviewed = 1,  // they count; their text is not shown
  team = 2,        // their text is shown too, and they may take back others' records
  self = 3,        // this database
};

constexpr std::array<std::string_view, 4> trust_words = {"blocked", "unreviewed", "team", "self"};

inline std::string trust_word(Trust trust) {
  return std::string(trust_words.at(static_cast<std::size_t>(trust)));
}
// What a user may give an origin: all but `self`.
inline std::optional<Trust> trust_of(std::string_view word) {
  for (Trust trust : {Trust::blocked, Trust::unreviewed, Trust::team}) {
    if (word == trust_words.at(static_cast<std::size_t>(trust))) return trust;
  }
  return std::nullopt;
}
// As the database holds it; a number that no version wrote is `unreviewed`.
constexpr Trust stored_trust(long long number) {
  return number >= 0 && number <= 3 ? static_cast<Trust>(number) : Trust::unreviewed;
}

}  // namespace explog
