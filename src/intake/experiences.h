// experiences.json of kernel-opt-skill: a list of logged attempts.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

Source experiences(const std::string& path, std::istream* in);
bool looks_like_experiences(std::string_view head);

}  // namespace explog::intake
