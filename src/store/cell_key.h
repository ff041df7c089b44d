// What the counts in a row of the table cell are of (schema/0007_cell_pages.sql).
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "base/shared_text.h"
#include "model/evidence.h"

namespace explog::store {

// How exactly a cell's state is known. Stored as numbers: never renumber.
enum class Grain : std::int64_t {
  fine = 0,       // in steps of one
  coarse = 1,     // in steps of three, size and latency too
  bare = 2,       // left out; size and latency in steps of three
  stateless = 3,  // no state, size or latency is known: such a cell belongs to every grain
};

struct CellKey {
  SharedText family;
  Grain grain = Grain::fine;
  SharedText strategy, backend, arch, kernel_type, dtype, bottleneck;
  std::int64_t size = -1, latency = unknown_latency;
  SharedText state, level;
  std::int64_t origin = 0;
  SharedText source;
  std::int64_t quarter = 0;
  bool mirrored = false;

  auto tuple() const {
    return std::tie(family, grain, strategy, backend, arch, kernel_type, dtype, bottleneck, size, latency,
                    state, level, origin, source, quarter, mirrored);
  }
  friend bool operator==(const CellKey& a, const CellKey& b) { return a.tuple() == b.tuple(); }
};

struct CellKeyHash {
  std::size_t operator()(const CellKey& key) const;
};

}  // namespace explog::store
