// A strategy of the playbook: the head and prose of one file in strategies/ (see strategies/README.md).
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/experience.h"

namespace explog {

struct Signal {
  std::string metric, op;
  double value = 0;
  bool holds(double measured) const;
};

struct Prior {
  double success = 0;                     // chance of a gain of 2 % or more where the strategy applies
  double speedup_lo = 1, speedup_hi = 1;  // range of the gain when it works, as factors
  std::string source;
};

struct Strategy {
  std::string id, title, category, min_arch, max_arch;
  std::vector<std::string> aliases, backends, families, bottlenecks, requirements, conflicts, source_patterns;
  std::vector<Signal> signals;
  std::map<std::string, std::string> params;  // knob -> its usual values as JSON
  Prior prior;
  std::string prose;  // Markdown behind the head
};

// Parses one file. Throws JsonError that names the key and what is wrong with it.
Strategy parse_strategy(std::string_view file_name, std::string_view text);

class Playbook {
 public:
  // Embedded strategies; files of `data_dir`/strategies win over and add to them. Throws Error(usage) naming
  // the file.
  static Playbook load(const std::string& data_dir);

  const std::vector<Strategy>& all() const { return strategies_; }  // sorted by id
  const Strategy* find(std::string_view id_or_alias) const;
  // The id a record's strategy name stands for: itself when it is no alias.
  std::string resolve(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  void add(Strategy strategy);
  std::vector<Strategy> strategies_;
  std::map<std::string, std::string, std::less<>> aliases_;
};

// What is wrong across files: conflicts and `after:` that name no strategy, an alias used twice. Empty when
// all is well.
std::vector<std::string> check_playbook(const Playbook& playbook);

}  // namespace explog
