// Results of autotuners in the T4 schema of the open autotuning community: Kernel Tuner, KTT and others write it.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

// Throws Error(usage) when it is none.
Source kernel_tuner_t4(const std::string& path, std::istream* in);
bool looks_like_t4(std::string_view head);

}  // namespace explog::intake
