// A page of the table cell: cells in the order of their keys, each written as what it does not share with the one before.
// Few rows of many cells cost SQLite little to step through, and neighbours share nearly all that they say.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/packed_cell.h"

namespace explog::store {

struct PackedCell {
  std::string_view key;  // key_bytes()
  CellCounts counts;
};

struct CellPage {
  std::string first;  // the key of its first cell
  std::string cells;
};

// Cells in the order of their keys as pages, each of a size that SQLite holds in one place.
std::vector<CellPage> pages_of(std::span<const PackedCell> cells);

// Reads a page from its front. Views are into the page and hold until the next cell.
class PageCursor {
 public:
  PageCursor(std::string_view first, std::string_view cells);
  // To the first or the next cell; false behind the last one, and where the bytes are not a page's.
  bool next();
  bool damaged() const { return damaged_; }

  std::string_view head() const { return head_; }
  std::string_view tail() const { return tails_[tail_]; }
  std::size_t tail_number() const { return tail_; }  // in the order in which a page's tails are met
  // How many bytes the heads of this cell and the one before begin with alike: at least so many.
  std::size_t shared() const { return shared_; }
  const CellCounts& counts() const { return counts_; }

 private:
  bool take_head(const char*& at);
  bool fail();

  std::string head_;
  std::vector<std::string_view> tails_;
  const char *at_, *end_;
  std::size_t tail_ = 0, shared_ = 0;
  CellCounts counts_;
  bool damaged_ = false;
};

}  // namespace explog::store
