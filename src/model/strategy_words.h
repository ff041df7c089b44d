// Free text -> a strategy of the playbook: what people and agents write where an id is wanted.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/knob_words.h"
#include "model/playbook.h"

namespace explog {

// What a text was taken as, and for a change of one knob which values it names.
struct StrategyReading {
  std::string strategy;
  std::optional<KnobChange> change;
};

class StrategyReader {
 public:
  explicit StrategyReader(const Playbook& playbook);

  // The strategy that a text stands for, of those for `backend` where several do. In this order: a change of a
  // knob; the words of a name or alias, all of them and nothing that it does not say itself; a misspelling.
  // Nothing when in doubt, and nothing for an id or alias (of this backend, or written as one), which needs no
  // reading.
  std::optional<StrategyReading> read(std::string_view text, std::string_view backend) const;

  // Ids that share most with the text, best first: to suggest, not to take.
  std::vector<std::string> nearest(std::string_view text, std::size_t most) const;

 private:
  using Words = std::set<std::string>;
  struct Name {
    const Strategy* strategy;
    std::string text;  // as a record would carry it
    Words words;       // what must be said
    bool
        of_backend_only;  // its first word was the backend's name, which a record of that backend need not say
  };
  void add_name(const Strategy& strategy, const std::string& text);
  std::optional<StrategyReading> read_unknown(std::string_view text, const std::string& as_stored,
                                              std::string_view backend) const;
  std::optional<std::string> by_phrase(const Words& words, std::string_view backend) const;
  std::optional<std::string> by_words(const Words& words, bool negated, std::string_view backend) const;
  std::optional<std::string> by_spelling(const std::string& text, std::string_view backend) const;

  const Playbook& playbook_;
  std::vector<Name> names_;
  std::map<std::string, Words> vocabulary_;  // by id: every word of its names and its title
};

}  // namespace explog
