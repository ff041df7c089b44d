// The records that come with the program. Each edition of them is an origin of its own, the same in every database:
// made there, never exchanged, because whoever has the program has it.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "base/sqlite.h"
#include "model/log_segment.h"

namespace explog::store {

inline constexpr const char* shipped_label = "shipped";  // what that origin is called

OriginId shipped_origin(const std::string& edition);
bool is_shipped(const OriginId& origin);

// Whether a record came with the program, by its row.
class ShippedRows {
 public:
  explicit ShippedRows(sql::Db& db);
  bool has(std::int64_t rid) const { return origins_.contains(rid >> 40); }

 private:
  std::set<std::int64_t> origins_;  // their numbers in this file
};

// The edition that the database holds; empty: none.
std::string shipped_edition(sql::Db& db);

}  // namespace explog::store
