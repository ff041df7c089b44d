// What every reader of foreign bytes produces: candidate records, one at a time.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/experience.h"

namespace explog {

// One candidate record of an input: an experience as the input gives it (not yet prepared), or why there is
// none.
struct Parsed {
  std::optional<Experience> experience;
  std::string usual_backend;         // of such files, where neither this one nor the user names a backend
  std::string where;                 // "file.jsonl:12"; empty where the fault names the file itself
  std::string fault;                 // why it is refused
  std::vector<std::string> remarks;  // what was mended or left out
  std::size_t bytes = 0;             // of the input that were read for it; 0: not known
};

// The next candidate, or nothing at the end. Throws Error(usage) when the input as a whole cannot be read.
using Source = std::function<std::optional<Parsed>()>;

}  // namespace explog
