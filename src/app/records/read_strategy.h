// What people and agents write as a strategy -> an id of the playbook, on the way into the store.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>

#include "model/experience.h"
#include "model/playbook.h"
#include "model/strategy_words.h"

namespace explog::app {

// Remembers what it has read: a file says the same many times.
class StrategyWords {
 public:
  explicit StrategyWords(const Playbook& playbook) : playbook_(playbook) {}
  StrategyWords(const StrategyWords&) = delete;
  StrategyWords& operator=(const StrategyWords&) = delete;

  // Where the record's strategy is no id but stands for one, the id takes its place, the words stay as
  // strategy_text, and values of a change go to params ("from", "to") and state. Returns a line that says so,
  // once for each wording; "" otherwise.
  std::string put_id(Experience& e);

 private:
  const Playbook& playbook_;
  std::optional<StrategyReader> reader_;  // made when the first unknown name comes
  std::unordered_map<std::string, std::optional<StrategyReading>> known_;
};

}  // namespace explog::app
