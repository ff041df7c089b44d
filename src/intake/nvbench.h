// Results of nvbench, JSON of format version 1 or CSV: states that differ in one tuning axis, read as changes.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"
#include "model/json.h"

namespace explog::intake {

Source nvbench(const std::string& path, std::istream* in);
bool looks_like_nvbench(std::string_view head);

// What --csv FILE writes, in the form of what --json FILE does. Throws Error(usage).
bool is_nvbench_csv(std::string_view head);
Json nvbench_table(const std::string& path, std::string_view text);

}  // namespace explog::intake
