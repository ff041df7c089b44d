// A cell as bytes: its key and what it counts. Cells stand in pages (cell_page.h).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "store/cell_key.h"

namespace explog::store {

// What stands behind the grain, part by part in the order of CellKey::tuple(), as bytes that compare as the parts do.
std::string key_bytes(const CellKey& key);
// A key's head ends behind its state: the tail (level, origin, source, quarter, mirrored) is the same for most cells of
// a page. 0 for bytes that are no key.
std::size_t head_size(std::string_view key);

struct CellCounts {
  std::int64_t success = 0, neutral = 0, failure = 0, broken = 0;
  std::int64_t gain_n = 0, gain_sum = 0, loss_n = 0, loss_sum = 0;
  std::int64_t first_rid = 0, last_rid = 0;  // 0: none

  std::int64_t n() const { return success + neutral + failure; }
  void add(const CellCounts& other);
};

using Count = std::int64_t CellCounts::*;
constexpr std::array<std::pair<const char*, Count>, 10> counts_in_order = {
    {{"success", &CellCounts::success},
     {"neutral", &CellCounts::neutral},
     {"failure", &CellCounts::failure},
     {"broken", &CellCounts::broken},
     {"gain_n", &CellCounts::gain_n},
     {"gain_sum", &CellCounts::gain_sum},
     {"loss_n", &CellCounts::loss_n},
     {"loss_sum", &CellCounts::loss_sum},
     {"first_rid", &CellCounts::first_rid},
     {"last_rid", &CellCounts::last_rid}}};

}  // namespace explog::store
