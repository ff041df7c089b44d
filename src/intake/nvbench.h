// JSON results of nvbench, format version 1: states that differ in one tuning axis, read as changes.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

Source nvbench(const std::string& path, std::istream* in);
bool looks_like_nvbench(std::string_view head);

}  // namespace explog::intake
