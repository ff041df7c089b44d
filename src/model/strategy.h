// A strategy of the playbook: the head and prose of one file in strategies/ (see strategies/README.md).
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/experience.h"

namespace explog {

constexpr int strategy_format = 1;  // of a strategy's head

struct Signal {
  std::string metric, op;
  double value = 0;
  bool holds(double measured) const;
  bool operator==(const Signal&) const = default;
};

struct Prior {
  double success = 0;                     // chance of a gain of 2 % or more where the strategy applies
  double speedup_lo = 1, speedup_hi = 1;  // range of the gain when it works, as factors
  std::string source;
  bool operator==(const Prior&) const = default;
};

struct Strategy {
  std::string id, title, category, min_arch, max_arch;
  std::vector<std::string> aliases, backends, families, bottlenecks, requirements, conflicts, source_patterns;
  std::vector<std::string> after;          // strategies that must come first
  std::vector<std::string> builds_on;      // those without which it has nothing to work on
  std::vector<std::string> replaces;       // those that a kernel which has it has too, or no use for
  std::vector<std::string> supersedes;     // of those: older ways to do the same, which stand behind it
  std::vector<std::string> not_for;        // kernel types of its families that it is not for
  std::vector<std::string> dtypes;         // element types it is meant for; empty: any
  std::vector<std::string> done_patterns;  // RE2: a source that matches has it, or what replaced it
  std::vector<Signal> signals;
  std::vector<Signal> done_when;              // facts or metrics of a kernel that has it
  bool needs_signal = false;                  // says little about a kernel that nothing is known of
  std::map<std::string, std::string> params;  // knob -> its usual values as JSON
  Prior prior;
  std::string prose;  // Markdown behind the head

  bool operator==(const Strategy&) const = default;
};

// Parses one file. Throws JsonError that names the key and what is wrong with it.
Strategy parse_strategy(std::string_view file_name, std::string_view text);

}  // namespace explog
