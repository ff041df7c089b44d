// A Kernel Tuner cache file in memory, and the mending of files that were never closed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/single_changes.h"

namespace explog::intake {

struct TunerCache {
  std::string device_name, kernel_name, language;  // language: where the file names one
  Facts problem_size;
  MeasuredSpace measured;
  size_t failed = 0;           // configurations that did not build or run
  size_t unusable = 0;         // entries without a usable time or parameter value
  std::string first_unusable;  // and why the first one is
};

// Kernel Tuner appends to a file that it closes at the very end, and writes NaN, which is not JSON.
struct Mended {
  std::string text;
  bool closed = false;  // brackets were missing
  bool cut = false;     // the last entry was incomplete and was taken off
};
Mended mend_tuner_cache(std::string text);

// Throws JsonError: not JSON, or not a cache.
TunerCache parse_tuner_cache(std::string_view json);

}  // namespace explog::intake
