// What Triton's autotuner measured: its cache files, and the log that explog's listener writes
// (scripts/package/python/explog_triton_listener.py).
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "intake/source.h"

namespace explog::intake {

// One cache file, NAME.autotune.json. Throws Error(usage) when it is none.
Source triton_cache(const std::string& path, std::istream* in);
bool looks_like_triton_cache(std::string_view head);

// JSON lines, one a tuned kernel and key; a faulty line is refused alone.
Source triton_log(const std::string& path, std::istream* in);
bool looks_like_triton_log(std::string_view head);

}  // namespace explog::intake
