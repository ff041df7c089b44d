#include "model/strategy_words.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "model/strategy_phrases.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

// Words that add nothing to what was done.
bool is_plain_word(std::string_view word) {
  return has_part(
      "a an the of in on to from for by per via with into onto its own as is be use using used apply applied "
      "applying add added adding enable enabled introduce introduced implement implemented switch switched "
      "convert converted move moved make made do try tried attempt better improve improved improving proper "
      "simple basic manual explicit gpu cuda triton cutile hip new full all each kernel kernels version "
      "optimization optimisation optimize optimized technique strategy approach main inner whole code "
      "instruction instructions instr based global layout",
      ' ', word);
}

// "32x32", "x4", "m16n8k16": how large, not what.
bool is_measure(const std::string& word) {
  static const RE2 measure(R"(\d+x\d+(x\d+)?|x\d+|\d+x|m\d+n\d+k\d+)");
  return RE2::FullMatch(word, measure);
}

bool is_negation(std::string_view word) {
  return has_part(
      "no not without remove removed removing drop dropped disable disabled disabling avoid avoided "
      "eliminate "
      "eliminated delete deleted revert reverted undo stop off never less fewer",
      ' ', word);
}

bool ends(std::string& word, std::string_view end, std::size_t least, std::string_view put) {
  if (word.size() < least || !word.ends_with(end)) return false;
  word.resize(word.size() - end.size());
  word += put;
  return true;
}

// A crude stem: enough that "vectorised loads" and "vectorized_load" share their words.
std::string stem(std::string word) {
  if (word == "bounds" || word.size() < 4) return word;
  bool z = false;
  for (const char* end : {"ization", "isation", "izing", "ising", "ized", "ised", "ize", "ise"})
    z = z || ends(word, end, 8, "iz");
  if (z) return word;
  if (!ends(word, "ies", 5, "y") && !ends(word, "ing", 6, "") && !ends(word, "ed", 5, "") &&
      !word.ends_with("ss")) {
    ends(word, "s", 4, "");
  }
  ends(word, "e", 4, "");
  if (word.size() > 3 && word.back() == word[word.size() - 2]) word.pop_back();
  return word;
}

// Lower case, words apart by blanks, what has two names under one.
std::string spaced_out(std::string_view text) {
  std::string s = " ";
  for (char c : lower(text)) {
    bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept) s += c;
    if (!kept && s.back() != ' ') s += ' ';
  }
  if (s.back() != ' ') s += ' ';
  constexpr std::pair<const char*, const char*> same[] = {
      {" shared memory ", " smem "},
      {" shared mem ", " smem "},
      {" shmem ", " smem "},
      {" tensorcore ", " tensor core "},
      {" tensorcores ", " tensor cores "},
      {" cpasync ", " cp async "},
      {" read only ", " readonly "},
      {" pre compute ", " precompute "},
      {" un roll ", " unroll "},
      {" splitk ", " split k "},
      {" streamk ", " stream k "},
      {" ping pong ", " pingpong "},
      {" multi stage ", " multistage "},
      {" flash attention ", " flashattention "},
      {" look back ", " lookback "},
      {" co operative ", " cooperative "},
  };
  for (const auto& [from, to] : same) s = replace_all(s, from, to);
  return s;
}

std::set<std::string> told_words(std::string_view text, bool& negated) {
  std::set<std::string> words;
  const std::string spaced = spaced_out(text);
  for (std::string_view word : split(spaced, ' ')) {
    if (word.empty()) continue;
    negated |= is_negation(word);
    if (!is_plain_word(word) && !is_measure(std::string(word))) words.insert(stem(std::string(word)));
  }
  return words;
}

std::set<std::string> told_words(std::string_view text) {
  bool negated = false;
  return told_words(text, negated);
}

// What was done, without why: up to "to reduce ...", "for better ...", "instead of ...", a remark in brackets.
std::string what_was_done(std::string_view text) {
  static const RE2 why(
      R"((?i)\s*([({\[;]|\. |: |,? (to (reduce|improve|increase|avoid|hide|cut|get|lower|eliminate|save|raise|use|keep|)"
      R"(maximi[sz]e|minimi[sz]e|enable|allow|make|fit|help)|for (better|more|less|higher|lower|improved|good|the|)"
      R"(all|each|every|large|small)|so that|because|since|instead of|rather than|in place of|where|when)\b))");
  re2::StringPiece whole(text.data(), text.size()), found;
  if (why.Match(whole, 0, whole.size(), RE2::UNANCHORED, &found, 1))
    return std::string(text.substr(0, static_cast<std::size_t>(found.data() - whole.data())));
  return std::string(text);
}

bool names_backend(std::string_view id) {
  return id.starts_with("triton_") || id.starts_with("cutile_") || id.starts_with("cutedsl_");
}

bool contains(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool serves(const Strategy& s, std::string_view backend) {
  return std::find(s.backends.begin(), s.backends.end(), backend) != s.backends.end();
}

// A word may be misspelt, but not in its first letter (uncoalesced), in a number (2d) or when it is short.
bool may_be_misspelt(const std::string& text, const std::string& name, int distance) {
  auto a = split(text, '_'), b = split(name, '_');
  if (a.size() != b.size() || text.find(':') != std::string::npos) return false;
  int longest_changed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    bool number = std::any_of(b[i].begin(), b[i].end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number || b[i].size() < 6 || a[i].empty() || a[i][0] != b[i][0]) return false;
    longest_changed = std::max(longest_changed, static_cast<int>(b[i].size()));
  }
  return distance <= (longest_changed >= 9 ? 2 : 1);
}

}  // namespace

StrategyReader::StrategyReader(const Playbook& playbook) : playbook_(playbook) {
  for (const Strategy& s : playbook.all()) {
    Words& all = vocabulary_[s.id] = told_words(s.title);
    add_name(s, s.id);
    for (const std::string& alias : s.aliases) add_name(s, alias);
    for (const Name& name : names_) {
      if (name.strategy == &s) all.insert(name.words.begin(), name.words.end());
    }
  }
}

void StrategyReader::add_name(const Strategy& strategy, const std::string& text) {
  if (text.find(':') != std::string::npos) return;  // a direction is read as a change of its knob
  names_.push_back({&strategy, text, told_words(replace_all(text, "_", " ")), false});
  names_.back().of_backend_only = names_backend(text);
  if (names_.back().words.empty()) names_.pop_back();
}

std::optional<std::string> StrategyReader::by_phrase(const Words& words, std::string_view backend) const {
  bool tells_own = backend == "triton" || backend == "cutile" || backend == "cutedsl";
  for (const StrategyPhrase& phrase : strategy_phrases()) {
    if (told_words(phrase.text) != words) continue;
    const Strategy* first = nullptr;
    for (std::string_view id : phrase.ids) {
      const Strategy* s = id.empty() ? nullptr : playbook_.find(id);
      if (s == nullptr) continue;
      if (serves(*s, backend)) return s->id;
      const bool of_another = !backend.empty() && names_backend(s->id);
      if (!tells_own && !of_another && (first == nullptr || names_backend(first->id))) first = s;
    }
    if (first != nullptr) return first->id;
  }
  return std::nullopt;
}

// The longest name that the words hold, if they hold nothing else and no other's.
std::optional<std::string> StrategyReader::by_words(const Words& words, bool negated,
                                                    std::string_view backend) const {
  std::vector<const Name*> held;
  for (const Name& name : names_) {
    if (name.of_backend_only && !serves(*name.strategy, backend)) continue;
    if (!contains(words, name.words)) continue;
    bool says_no = std::any_of(name.words.begin(), name.words.end(), is_negation);
    if (!negated || says_no) held.push_back(&name);
  }
  bool here =
      std::any_of(held.begin(), held.end(), [&](const Name* n) { return serves(*n->strategy, backend); });
  if (here) std::erase_if(held, [&](const Name* n) { return !serves(*n->strategy, backend); });
  const Name* longest = nullptr;
  for (const Name* name : held) {
    if (longest == nullptr || name->words.size() > longest->words.size()) longest = name;
  }
  if (longest == nullptr) return std::nullopt;
  for (const Name* name : held) {
    if (name->strategy != longest->strategy &&
        (name->words.size() == longest->words.size() || !contains(longest->words, name->words)))
      return std::nullopt;
  }
  const Words& own = vocabulary_.at(longest->strategy->id);
  return contains(own, words) ? std::optional(longest->strategy->id) : std::nullopt;
}

std::optional<std::string> StrategyReader::by_spelling(const std::string& text,
                                                       std::string_view backend) const {
  const Name* best = nullptr;
  int least = 3;
  bool tie = false;
  for (const Name& name : names_) {
    if (name.of_backend_only && !serves(*name.strategy, backend)) continue;
    int length = static_cast<int>(name.text.size()) - static_cast<int>(text.size());
    if (length < -2 || length > 2) continue;
    int distance = edit_distance(text, name.text);
    if (distance > least || !may_be_misspelt(text, name.text, distance)) continue;
    tie = best != nullptr && distance == least && best->strategy != name.strategy;
    if (distance < least) tie = false;
    best = &name, least = distance;
  }
  return best != nullptr && !tie ? std::optional(best->strategy->id) : std::nullopt;
}

std::optional<StrategyReading> StrategyReader::read(std::string_view text, std::string_view backend) const {
  std::string as_stored = canonical_strategy(text);
  if (as_stored.empty() || text.size() > 300) return std::nullopt;
  const Strategy* known = playbook_.find(as_stored);
  if (known == nullptr) return read_unknown(text, as_stored, backend);
  // "persistent kernel" names one of another backend: there may be its like for this one.
  if (text == as_stored || serves(*known, backend)) return std::nullopt;
  auto reading = read_unknown(text, as_stored, backend);
  bool better = reading && serves(*playbook_.find(reading->strategy), backend);
  return better ? reading : std::nullopt;
}

std::optional<StrategyReading> StrategyReader::read_unknown(std::string_view text,
                                                            const std::string& as_stored,
                                                            std::string_view backend) const {
  if (auto change = knob_change(text)) {
    for (const std::string& id : strategies_of(*change, backend)) {
      if (playbook_.find(id) != nullptr) return StrategyReading{id, change};
    }
    return std::nullopt;
  }
  if (as_stored.find(':') != std::string::npos && text.find(' ') == std::string_view::npos)
    return std::nullopt;
  bool negated = false;
  Words words = told_words(what_was_done(text), negated);
  if (words.count("bound") != 0) return std::nullopt;  // launch-bound is what it is, not what was done
  if (auto id = negated ? std::nullopt : by_phrase(words, backend)) return StrategyReading{*id, std::nullopt};
  if (auto id = by_words(words, negated, backend)) return StrategyReading{*id, std::nullopt};
  if (negated) return std::nullopt;
  if (auto id = by_spelling(as_stored, backend)) return StrategyReading{*id, std::nullopt};
  return std::nullopt;
}

std::vector<std::string> StrategyReader::nearest(std::string_view text, std::size_t most) const {
  struct Likeness {
    double value;
    const std::string* id;
  };
  Words words = told_words(text);
  std::string as_stored = canonical_strategy(text);
  std::vector<Likeness> like;
  for (const Name& name : names_) {
    double shared = 0;
    for (const std::string& word : name.words) shared += words.count(word) != 0 ? 1 : 0;
    double value = shared / (static_cast<double>(words.size() + name.words.size()) - shared + 0.01);
    double letters = static_cast<double>(std::max(as_stored.size(), name.text.size()));
    value = std::max(value, 1 - 2 * edit_distance(as_stored, name.text) / letters);
    if (value > 0.15) like.push_back({value, &name.strategy->id});
  }
  std::stable_sort(like.begin(), like.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  std::vector<std::string> ids;
  for (const Likeness& one : like) {
    if (ids.size() < most && std::find(ids.begin(), ids.end(), *one.id) == ids.end()) ids.push_back(*one.id);
  }
  return ids;
}

}  // namespace explog
