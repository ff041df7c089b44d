// The closed vocabularies of a record and how other spellings become theirs.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

enum class Vocabulary { bottleneck, backend, outcome, decision, cause, level, correctness, dtype };

// The word of the vocabulary that `text` means ("memory-bound" -> "memory", "FP16" -> "f16"), or nothing.
std::optional<std::string> canonical(Vocabulary vocabulary, std::string_view text);
// The words of a vocabulary, in its order.
std::vector<std::string> words(Vocabulary vocabulary);
// The vocabulary that governs an experience field, if one does.
std::optional<Vocabulary> vocabulary_of(std::string_view field);

// A strategy name as records carry it: lower case, blanks and hyphens as '_', only [a-z0-9_.+:], at most 120
// characters.
std::string canonical_strategy(std::string_view text);

}  // namespace explog
