// What can be read of a damaged database -> a new one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace explog::store {

struct Salvaged {
  std::int64_t found = 0;    // events that could be read and are sound
  std::int64_t broken = 0;   // that could not, as far as their pages tell
  std::int64_t missing = 0;  // that the sequences of the origins lack
  std::int64_t kept = 0;     // stored under their origin's name
  std::int64_t known = 0;    // that the new store had: they ship with the program
  std::int64_t moved =
      0;  // stored under the new database's own: they stood behind a gap, or nobody knows whose they are
  std::vector<std::string> notes;
};

// Reads the log of `damaged` page by page and stores what is sound in `into`, a new and empty store: each event once,
// under its origin as far as its sequence has no gap. An event whose id is that of its content is checked against it.
Salvaged salvage(const std::string& damaged, Store& into);

}  // namespace explog::store
