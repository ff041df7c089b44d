// The closed vocabularies of a record and how other spellings become theirs.
#pragma once
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace explog {

enum class Vocabulary {
  bottleneck,
  backend,
  outcome,
  decision,
  cause,
  level,
  correctness,
  dtype,
  stall,
  category
};

// The words that code asks about, in the order of their vocabulary. Records carry the words themselves.
enum class Bottleneck { memory, compute, latency, occupancy, balanced, unknown };
enum class RecordBackend { cuda, triton, cutile, cutedsl, hip, other };
enum class Outcome { success, neutral, failure };
enum class Decision { keep, revert, crash };
enum class Cause {
  regression,
  wrong_values,
  compile_error,
  launch_error,
  timeout,
  sanitizer,
  nan,
  out_of_memory
};
enum class Level { claimed, imported, measured, replicated };
enum class Correctness { pass, fail, unknown };

std::string_view word(Bottleneck bottleneck);
std::string_view word(RecordBackend backend);
std::string_view word(Outcome outcome);
std::string_view word(Decision decision);
std::string_view word(Cause cause);
std::string_view word(Level level);
std::string_view word(Correctness correctness);

// A field of a record against a word: e.outcome == Outcome::success.
template <class Word>
concept VocabularyWord = requires(Word w) {
  requires std::is_enum_v<Word>;
  { word(w) } -> std::same_as<std::string_view>;
};
template <VocabularyWord Word>
bool operator==(std::string_view field, Word expected) {
  return field == word(expected);
}

// The word of the vocabulary that `text` means ("memory-bound" -> "memory", "FP16" -> "f16"), or nothing.
std::optional<std::string> canonical(Vocabulary vocabulary, std::string_view text);
// The words of a vocabulary, in its order.
std::vector<std::string> words(Vocabulary vocabulary);
// Those but one: what a strategy may be meant for.
std::vector<std::string> words_but(Vocabulary vocabulary, std::string_view left_out);
bool is_word(Vocabulary vocabulary, std::string_view text);  // exactly one of them
// The vocabulary that governs an experience field, if one does.
std::optional<Vocabulary> vocabulary_of(std::string_view field);

// A strategy name as records carry it: lower case, blanks and hyphens as '_', only [a-z0-9_.+:], at most 120
// characters.
std::string canonical_strategy(std::string_view text);

}  // namespace explog
