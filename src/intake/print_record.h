// The lines of TileGym's --print-record: "Cutile: {'forward': {'mean': 3.79, ...}} ms", in any log.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

Source print_record(const std::string& path, std::istream* in);
bool looks_like_print_record(std::string_view head);

}  // namespace explog::intake
