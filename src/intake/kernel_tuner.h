// Cache files of Kernel Tuner: a measured search space, read as one-variable changes.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

Source kernel_tuner(const std::string& path, std::istream* in);
bool looks_like_kernel_tuner(std::string_view head);

}  // namespace explog::intake
