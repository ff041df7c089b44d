// A strategy's head as one compact text, so that the built-in playbook is checked once at build time and read
// in microseconds at run time.
#pragma once
#include <string>
#include <string_view>

#include "model/strategy.h"

namespace explog {

// Everything but the prose. unpack(pack(s)) == s without its prose.
std::string pack_strategy(const Strategy& strategy);
Strategy unpack_strategy(std::string_view packed);

}  // namespace explog
