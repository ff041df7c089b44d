#include "model/canonical.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/arch.h"
#include "model/cards.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

// What becomes of a word that is not known: it is dropped or replaced, or kept, since others may know more words.
enum class Unknown { dropped, kept };

// A field whose text is one of certain words, or has a form.
struct WordField {
  std::string_view name;
  std::string Experience::*member;
  std::optional<std::string> (*canonical)(std::string_view text);  // nothing for a word that is not known
  std::string (*hint)(std::string_view text);  // behind such a word: " (did you mean 'x'?)"
  std::string_view otherwise;                  // for a word that is not known, and for none
  Unknown unknown = Unknown::dropped;
};

template <Vocabulary vocabulary>
WordField closed(std::string_view name, std::string Experience::*member, std::string_view otherwise) {
  return {name, member, [](std::string_view text) { return canonical(vocabulary, text); },
          [](std::string_view text) { return did_you_mean(text, words(vocabulary)); }, otherwise};
}

// The words that we know of a list that grows with its makers' tools.
template <Vocabulary vocabulary>
WordField growing(std::string_view name, std::string Experience::*member) {
  WordField field = closed<vocabulary>(name, member, "");
  field.unknown = Unknown::kept;
  return field;
}

// Any text is a word of these, in the form that `form` gives it.
template <std::string (*form)(std::string_view)>
WordField open(std::string_view name, std::string Experience::*member) {
  return {name, member, [](std::string_view text) { return std::optional(form(text)); },
          [](std::string_view) { return std::string(); }, ""};
}

std::optional<std::string> arch_or_unknown(std::string_view text) {
  return text == "unknown" ? std::string(text) : canonical_arch(text);
}

const auto& word_fields() {
  using E = Experience;
  static const std::array<WordField, 12> fields = {
      {open<canonical_kernel_type>("kernel_type", &E::kernel_type),
       open<canonical_strategy>("strategy", &E::strategy),
       {"arch", &E::arch, arch_or_unknown, arch_hint, "unknown"},
       closed<Vocabulary::backend>("backend", &E::backend, word(RecordBackend::other)),
       closed<Vocabulary::bottleneck>("bottleneck", &E::bottleneck, word(Bottleneck::unknown)),
       closed<Vocabulary::outcome>("outcome", &E::outcome, ""),
       closed<Vocabulary::decision>("decision", &E::decision, ""),
       closed<Vocabulary::cause>("cause", &E::cause, ""),
       closed<Vocabulary::correctness>("correctness", &E::correctness, ""),
       growing<Vocabulary::dtype>("dtype", &E::dtype),
       growing<Vocabulary::stall>("stall", &E::stall),
       closed<Vocabulary::level>("level", &E::level, word(Level::claimed))}};
  return fields;
}

constexpr std::string_view name_rule = "names are ASCII letters, digits and underscores";

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

void respell(std::string& value, const WordField& field, Respelled& respelled) {
  if (value.empty()) {
    value = field.otherwise;
    return;
  }
  auto word = field.canonical(value);
  if (!word && field.unknown == Unknown::kept) {
    word = lower(trim(value));
    respelled.unknown.push_back(
        fmt::format("unknown {} '{}'{}, kept as it is", field.name, printable(value), field.hint(value)));
  } else if (!word) {
    respelled.unknown.push_back(fmt::format(
        "unknown {} '{}'{}{}", field.name, printable(value), field.hint(value),
        field.otherwise.empty() ? ", dropped" : fmt::format(", stored as '{}'", field.otherwise)));
  } else if (lower(value) != *word) {
    respelled.mended.push_back(fmt::format("{} '{}' read as '{}'{}{}", field.name, printable(value), *word,
                                           is_ascii(value) ? "" : ": ", is_ascii(value) ? "" : name_rule));
  }
  value = word.value_or(std::string(field.otherwise));
}

// A card given as the arch is kept as the GPU, under its own name where it fits one card alone.
void keep_card(Experience& e) {
  if (e.arch.empty()) e.arch = canonical_arch(e.gpu).value_or("");
  if (!e.gpu.empty() || e.arch == "unknown") return;
  auto fitting = cards_named(e.arch);
  if (!fitting.empty()) e.gpu = fitting.size() == 1 ? fitting[0]->name : trim(e.arch);
}

// Of other alphabets nothing is left that could be a name: the words stay, as words.
void keep_words(Experience& e, Respelled& respelled) {
  if (trim(e.strategy).empty() || !canonical_strategy(e.strategy).empty()) return;
  respelled.unknown.push_back(
      fmt::format("strategy '{}' kept only as words: {}; `explog strategies list` shows those that are known",
                  printable(e.strategy), name_rule));
  if (e.strategy_text.empty()) e.strategy_text = e.strategy;
  e.strategy.clear();
}

void cap_level(std::string& level, std::string_view highest, Respelled& respelled) {
  static const std::vector<std::string> levels = words(Vocabulary::level);
  auto rank = [&](std::string_view word) { return std::find(levels.begin(), levels.end(), word); };
  if (rank(level) <= rank(highest)) return;
  respelled.mended.push_back(
      fmt::format("level '{}' lowered to '{}': only explog's own harness measures", level, highest));
  level = highest;
}

}  // namespace

Respelled respell(Experience& e, std::string_view highest_level) {
  Respelled respelled;
  keep_card(e);
  keep_words(e, respelled);
  for (const WordField& field : word_fields()) respell(e.*field.member, field, respelled);
  cap_level(e.level, highest_level, respelled);
  return respelled;
}

}  // namespace explog
