// All strategies: the built-in ones and those of a data folder.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/strategy.h"

namespace explog {

// The files of strategies in a folder of the user's; none where it has no strategies/.
std::vector<std::string> strategy_files(const std::string& data_dir);

class Playbook {
 public:
  // Built-in strategies; files of `data_dir`/strategies win over and add to them. The prose of built-in ones
  // is left out (prose() reads it). Throws Error(usage) naming the file.
  static Playbook load(const std::string& data_dir);

  const std::vector<Strategy>& all() const { return strategies_; }  // sorted by id
  const Strategy* find(std::string_view id_or_alias) const;
  // The id a record's strategy name stands for: itself when it is no alias.
  std::string resolve(const std::string& name) const;
  std::vector<std::string> names() const;
  // The Markdown behind the head of a strategy of this playbook.
  static std::string prose(const Strategy& strategy);

 private:
  void add(Strategy strategy);
  std::vector<Strategy> strategies_;
  std::map<std::string, std::string, std::less<>> aliases_;
};

// What is wrong across files: conflicts and `after` that name no strategy, an alias used twice. Empty when
// all is well.
std::vector<std::string> check_playbook(const Playbook& playbook);

}  // namespace explog
