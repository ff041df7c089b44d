// The two columns of the table cell that hold its parts as bytes: reading a row costs two columns and not 24.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sqlite_function.h"
#include "base/text_hash.h"
#include "model/family_evidence.h"
#include "store/cell_key.h"

namespace explog::store {

// The column `key`: what stands behind the grain, part by part in the order of CellKey::tuple(), as bytes that
// compare as the parts do. A text ends with 0; its own bytes 0 and 1 are written as 1 1 and 1 2.
std::string key_bytes(const CellKey& key);

// The column `counts`.
struct CellCounts {
  std::int64_t success = 0, neutral = 0, failure = 0, broken = 0;
  std::int64_t gain_n = 0, gain_sum = 0, loss_n = 0, loss_sum = 0;
  std::int64_t first_rid = 0, last_rid = 0;  // 0: none

  std::int64_t n() const { return success + neutral + failure; }
  void add(const CellCounts& other);
};
std::string counts_bytes(const CellCounts& counts);
// Nothing where the bytes are not those of counts.
std::optional<CellCounts> counts_in(std::string_view bytes);

// Reads cells row by row; rows in the order of their keys share most of what they say.
class CellReader {
 public:
  explicit CellReader(FamilyEvidence& evidence) : evidence_(evidence) {}
  // Adds the row; false where the bytes are not a cell's: this reader is of no use then.
  bool read(std::string_view key, std::string_view counts);

 private:
  bool take_setting(std::string_view& rest, EvidenceRow& row);
  bool take_provenance(std::string_view rest, EvidenceRow& row);

  FamilyEvidence& evidence_;
  std::unordered_map<std::string, const Setting*, TextHash> settings_;  // by their bytes
  std::unordered_map<std::string, const Provenance*, TextHash> provenances_;
  std::string setting_;  // bytes of the row before, from strategy to bottleneck
  const Setting* last_ = nullptr;
  std::array<const std::pair<const std::string, const Provenance*>*, 2> seen_{};  // the last two
};

// A row a cell of records as they are, at the finest grain, as a table with a name for each part of it.
std::string counted_cells();

// SQL: cell_part(key, 'strategy') and cell_count(counts, 'success'), NULL for what is not there;
// CAST(cell_sum(counts, counts) AS BLOB).
sql::Value cell_part(const std::vector<sql::Argument>& key_and_name);
sql::Value cell_count(const std::vector<sql::Argument>& counts_and_name);
sql::Value cell_sum(const std::vector<sql::Argument>& two_counts);

}  // namespace explog::store
