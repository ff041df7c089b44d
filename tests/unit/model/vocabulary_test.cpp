#include "model/vocabulary.h"

#include <doctest/doctest.h>

#include "model/experience.h"

using namespace explog;

namespace {

// The words of an enum's first values, up to a last one.
template <class Enum>
std::vector<std::string> words_to(Enum last) {
  std::vector<std::string> list;
  for (int i = 0; i <= static_cast<int>(last); ++i) list.emplace_back(word(static_cast<Enum>(i)));
  return list;
}

}  // namespace

TEST_CASE("vocabularies: an enum names all words of its table, in its order") {
  CHECK(words_to(Bottleneck::unknown) == words(Vocabulary::bottleneck));
  CHECK(words_to(RecordBackend::other) == words(Vocabulary::backend));
  CHECK(words_to(Outcome::failure) == std::vector<std::string>{"success", "neutral", "failure"});
  CHECK(words_to(Outcome::failure) == words(Vocabulary::outcome));
  CHECK(words_to(Decision::crash) == std::vector<std::string>{"keep", "revert", "crash"});
  CHECK(words_to(Decision::crash) == words(Vocabulary::decision));
  CHECK(words_to(Cause::out_of_memory) == words(Vocabulary::cause));
  CHECK(words_to(Level::replicated) ==
        std::vector<std::string>{"claimed", "imported", "measured", "replicated"});
  CHECK(words_to(Level::replicated) == words(Vocabulary::level));
  CHECK(words_to(Correctness::unknown) == std::vector<std::string>{"pass", "fail", "unknown"});
  CHECK(words_to(Correctness::unknown) == words(Vocabulary::correctness));
  CHECK(word(Bottleneck::occupancy) == "occupancy");
  CHECK(word(RecordBackend::cutile) == "cutile");
  CHECK(word(Cause::wrong_values) == "wrong_values");
  CHECK(word(Cause::launch_error) == "launch_error");
}

TEST_CASE("vocabularies: a field of a record is compared with a word") {
  Experience e;
  CHECK(e.outcome != Outcome::success);
  e.outcome = word(Outcome::success);
  CHECK(e.outcome == Outcome::success);
  CHECK(e.outcome != Outcome::failure);
}

TEST_CASE("vocabularies: a word is exactly one of its vocabulary, a synonym is none") {
  CHECK(is_word(Vocabulary::decision, "keep"));
  CHECK_FALSE(is_word(Vocabulary::decision, "kept"));
  CHECK_FALSE(is_word(Vocabulary::decision, ""));
  CHECK(words_but(Vocabulary::outcome, word(Outcome::neutral)) ==
        std::vector<std::string>{"success", "failure"});
}

TEST_CASE("a record's fields: what each holds") {
  auto type = [](std::string_view name) { return type_of(*find_field(name)); };
  CHECK(type("kernel_type") == FieldType::text);
  CHECK(type("speedup") == FieldType::number);
  CHECK(type("shape") == FieldType::facts);
  CHECK(type("params") == FieldType::params);
  CHECK(type("tags") == FieldType::tags);
}
