#include "campaign/knobs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace explog::campaign {
namespace {

constexpr long smallest = 2, largest = 65536;

// The words of one line, from left to right.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(trim(line)) {}
  std::string_view next() {
    rest_ = trim(rest_);
    std::size_t end = 0;
    auto part_of_a_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
    };
    while (end < rest_.size() && part_of_a_word(rest_[end])) ++end;
    end = std::max<std::size_t>(end, rest_.empty() ? 0 : 1);  // or one sign
    std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  std::string_view rest() const { return trim(rest_); }

 private:
  std::string_view rest_;
};

struct Definition {
  std::string_view name, value;
};

bool comment_or_nothing(std::string_view text) {
  return text.empty() || text.starts_with("//") || text.starts_with("/*");
}

// "#define UNROLL 4".
std::optional<Definition> macro(std::string_view line) {
  Words words(line);
  if (words.next() != "#" || words.next() != "define") return std::nullopt;
  Definition d{words.next(), words.next()};
  return comment_or_nothing(words.rest()) ? std::optional(d) : std::nullopt;
}

// "static constexpr int threads = 256;".
std::optional<Definition> constant(std::string_view line) {
  constexpr std::array<std::string_view, 6> types = {"unsigned", "int",    "long",
                                                     "auto",     "size_t", "std::size_t"};
  Words words(line);
  std::string_view word = words.next();
  if (word == "static") word = words.next();
  if (word != "constexpr" && word != "const") return std::nullopt;
  int of_a_type = 0;
  for (word = words.next(); std::find(types.begin(), types.end(), word) != types.end(); word = words.next())
    ++of_a_type;
  if (of_a_type == 0 || words.next() != "=") return std::nullopt;
  Definition d{word, words.next()};
  return words.next() == ";" ? std::optional(d) : std::nullopt;
}

std::optional<long> whole_number(std::string_view text) {
  bool digits =
      !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? std::optional(std::stol(std::string(text))) : std::nullopt;
}

std::string with_value(std::string_view source, std::string_view value, long other) {
  auto at = static_cast<std::size_t>(value.data() - source.data());
  return std::string(source.substr(0, at)) + std::to_string(other) +
         std::string(source.substr(at + value.size()));
}

}  // namespace

std::vector<KnobEdit> knob_edits(std::string_view source) {
  std::vector<KnobEdit> edits;
  for (std::string_view line : split(source, '\n')) {
    auto found = macro(line);
    if (!found) found = constant(line);
    auto from = found ? whole_number(found->value) : std::nullopt;
    if (!from || *from < smallest || *from > largest) continue;
    std::string name(found->name);
    edits.push_back({name, *from, 2 * *from, with_value(source, found->value, 2 * *from)});
    if (*from % 2 == 0 && *from / 2 >= smallest)
      edits.push_back({name, *from, *from / 2, with_value(source, found->value, *from / 2)});
  }
  return edits;
}

}  // namespace explog::campaign
