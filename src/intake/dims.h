// Problem sizes as people write them: {"M": 4096}, "M=4096,N=512", "4096x4096", 65536.
#pragma once
#include <optional>

#include "model/experience.h"
#include "model/json.h"

namespace explog::intake {

struct Dims {
  Facts shape;
  std::string dtype;  // "dtype=fp16" among the sizes
};

// Nothing when the value is not understood; empty when there is none.
std::optional<Dims> read_dims(const Json& value);

}  // namespace explog::intake
