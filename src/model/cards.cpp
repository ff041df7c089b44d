#include "model/cards.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text.h"

namespace explog {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// What says nothing about which card it is.
bool is_noise(std::string_view word) {
  for (std::string_view noise :
       {"nvidia", "geforce", "gpu", "graphics", "card", "generation", "edition", "developer", "kit"}) {
    if (word == noise) return true;
  }
  return false;
}

// Words that many cards share; one of them alone names no card, and the brands among them may be left out.
bool is_brand(std::string_view word) { return word == "rtx" || word == "gtx" || word == "jetson"; }
bool is_shared(std::string_view word) {
  static const Words shared = {
      "pro",  "ti",   "super",     "d",   "titan", "quadro", "tesla", "ada",   "laptop", "agx",
      "nano", "nx",   "blackwell", "max", "q",     "server", "sff",   "pcie",  "sxm",    "sxm2",
      "sxm4", "sxm5", "sxm6",      "nvl", "dgx",   "hbm3",   "hbm3e", "hbm2e", "nvl72",  "workstation"};
  return is_brand(word) || has(shared, word) || word.ends_with("gb");
}

// "rtx4090" is two words, and so is "4090ti"; "h 100" and "80 gb" are one.
void add_word(Words& words, std::string word) {
  for (std::string_view brand : {"rtx", "gtx", "titan"}) {
    if (!word.starts_with(brand) || word.size() == brand.size()) continue;
    words.emplace_back(brand);
    word = word.substr(brand.size());
    break;
  }
  std::size_t digits = 0;
  while (digits < word.size() && digit(word[digits])) ++digits;
  std::string end = word.substr(digits);
  bool memory = end == "gb" && digits == 0 && !words.empty() &&
                std::all_of(words.back().begin(), words.back().end(), digit);
  bool chip = !words.empty() && (words.back().size() == 1 || words.back() == "gh" || words.back() == "gb") &&
              !digit(words.back()[0]) && digits >= 2;
  if (memory || chip) {
    words.back() += word;
  } else if (digits == 4 && (end == "ti" || end == "super" || end == "d" || end == "laptop")) {
    words.push_back(word.substr(0, digits));
    words.push_back(end);
  } else if (word == "mobile") {
    words.emplace_back("laptop");
  } else if (!word.empty() && !is_noise(word)) {
    words.push_back(std::move(word));
  }
}

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (char c : lower(trim(text)) + " ") {
    bool kept = (c >= 'a' && c <= 'z') || digit(c);
    if (kept) word += c;
    if (!kept && !word.empty()) add_word(words, std::exchange(word, {}));
  }
  return words;
}

Words without_brand(Words words) {
  std::erase_if(words, is_brand);
  std::sort(words.begin(), words.end());
  return words;
}

struct Entry {
  const Card* card;
  Words name, all;   // words of its name, and with those that may stand beside it
  Words plain_name;  // without brand, sorted
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> built = [] {
    std::vector<Entry> list;
    for (const Card& card : cards()) {
      Entry e{&card, words_of(card.name), {}, {}};
      e.all = e.name;
      for (std::string& word : words_of(card.words)) e.all.push_back(std::move(word));
      e.plain_name = without_brand(e.name);
      list.push_back(std::move(e));
    }
    return list;
  }();
  return built;
}

std::vector<const Card*> cards_with(const Words& words) {
  std::vector<const Card*> found;
  bool strong = !std::all_of(words.begin(), words.end(), is_shared);
  Words plain = without_brand(words);
  for (const Entry& e : entries()) {
    if (e.name == words || (strong && e.plain_name == plain)) return {e.card};
    if (strong && std::all_of(words.begin(), words.end(), [&](const auto& w) { return has(e.all, w); }))
      found.push_back(e.card);
  }
  return found;
}

bool one_arch(const std::vector<const Card*>& found) {
  return std::all_of(found.begin(), found.end(), [&](const Card* c) { return c->arch == found[0]->arch; });
}

}  // namespace

std::vector<const Card*> cards_named(std::string_view text) { return cards_with(words_of(text)); }

const Card* find_card(std::string_view text) {
  auto found = cards_named(text);
  return found.empty() ? nullptr : found[0];
}

std::optional<std::string> arch_of_card(std::string_view text) {
  for (Words words = words_of(text); !words.empty(); words.pop_back()) {
    auto found = cards_with(words);
    if (found.empty()) continue;
    return one_arch(found) ? std::optional(std::string(found[0]->arch)) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> card_names() {
  std::vector<std::string> names;
  auto add = [&](std::string name) {
    if (!has(names, name)) names.push_back(std::move(name));
  };
  for (const Card& card : cards()) {
    add(std::string(card.name));
    std::string first(card.name.substr(0, card.name.find(' ')));
    if (find_card(first) != nullptr) add(first);
  }
  return names;
}

}  // namespace explog
