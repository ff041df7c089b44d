// Groups of records that are the same experiment under several ids.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::store {

struct DuplicateGroup {
  std::vector<std::int64_t>
      rids;  // the one to keep first: the best evidence level, then the fullest record, then the oldest
  std::string what;  // "gemm cuda sm_90 smem_tiling: 1.5x to 1.4 ms"
};

// Same kernel type, kernel, backend, arch, gpu, dtype, shape, state, strategy, params and latencies to the
// last digit: configurations of a sweep do take the same few ticks of a clock. Records without latencies are
// never called the same.
std::vector<DuplicateGroup> find_duplicates(sql::Db& db);

}  // namespace explog::store
