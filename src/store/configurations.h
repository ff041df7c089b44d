// Configurations that were imported without times.
#pragma once
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/config_set.h"

namespace explog::store {

// Those for `runtime`, oldest first; of a kernel, or of all ("").
std::vector<ConfigSet> config_sets(sql::Db& db, const std::string& runtime, const std::string& kernel);

}  // namespace explog::store
