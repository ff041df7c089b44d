// Records that count, in the order of their time, and small settings that the database keeps.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/experience.h"

namespace explog::store {

struct Dated {
  Experience record;
  std::int64_t at_ms = 0;  // Unix time
};
// Oldest first.
std::vector<Dated> history(sql::Db& db);

// The text kept under a name, "" when there is none.
std::string setting(sql::Db& db, const std::string& name);
// "" removes it.
void keep_setting(sql::Db& db, const std::string& name, const std::string& text);

}  // namespace explog::store
