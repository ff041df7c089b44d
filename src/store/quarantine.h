// What remotes sent and this database refused.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "store/store.h"

namespace explog::store {

struct QuarantineRow {
  std::string remote;
  std::string origin;  // 16 bytes or none
  std::int64_t first = 0, last = 0;
  std::string reason;
  std::int64_t at_ms = 0;
};
void quarantine(sql::Db& db, const QuarantineRow& row);  // within a transaction of the caller
std::vector<QuarantineRow> quarantined(sql::Db& db);

// How the reason ends where it may pass: a file that is still being copied.
inline constexpr const char* looked_at_again = "; looked at again by the next sync";
// Drops those rows of a remote: it is being looked at again.
void forget_waiting(Store& store, const std::string& remote);

}  // namespace explog::store
