// From pages of cells to the evidence that is ranked.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "model/family_evidence.h"
#include "store/cell_page.h"

namespace explog::store {

// Pages come in the order of their keys: cells share most of what they say with the one before.
class CellReader {
 public:
  CellReader(FamilyEvidence& evidence, std::size_t most) : evidence_(evidence), most_(most) {}
  // Adds its rows, as long as there are not `most`; false where the bytes are not a page's: this reader is of no use
  // then.
  bool read(std::string_view first, std::string_view cells);

 private:
  bool take_situation(const PageCursor& cell, bool begins_page);
  bool take_provenance(const PageCursor& cell);

  FamilyEvidence& evidence_;
  std::size_t most_;
  std::unordered_map<std::string, const Setting*, TextHash> settings_;  // by their bytes
  std::unordered_map<std::string, const Provenance*, TextHash> provenances_;
  std::string setting_;                // bytes of the row before, from strategy to bottleneck
  std::size_t head_size_ = 0;          // of the row before
  EvidenceRow row_;                    // the row before
  std::vector<const Provenance*> by_;  // by their number in this page
};

}  // namespace explog::store
