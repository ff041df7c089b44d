// The order of an answer: by chance of success, with what a person who acts on it would ask of it.
#pragma once
#include <string>
#include <vector>

#include "model/playbook.h"
#include "recommend/item.h"

namespace explog::recommend {

// Sets the score of each item and puts them in order:
// - what failed too often here stands last;
// - what nobody has tried stands behind everything that was tried at least four times here and succeeded at
//   least as often as things do in the family (`base_rate`), unless measured signals call for it;
// - what was tried and never succeeded is not the first, and stands lower where that was under a bottleneck as asked for;
// - a strategy stands behind those that must come before it (`after`), where they are still to be done;
// - what supersedes another for this element type stands right in front of it;
// - of two that conflict the lower one says so.
struct Rules {
  std::string dtype;     // of the question; empty: not known
  double base_rate = 0;  // how often an attempt succeeds in the family
  bool by_gain = false;  // by expected gain instead of the chance
};
void put_in_order(std::vector<Item>& items, const Playbook& playbook, const Rules& rules);

}  // namespace explog::recommend
