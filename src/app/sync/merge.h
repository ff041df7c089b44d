// Other databases taken in, and records of one experiment made one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "model/trust.h"

namespace explog::app {

// Adds the events of other databases; what was refused names its file. `trust` is given to origins first met
// there.
store::Store::Merged merge_files(const Session& session, const std::vector<std::string>& files, Trust trust);

// Records that are the same experiment, by their ids.
struct Duplicates {
  std::string what;               // "gemm cuda sm_90 smem_tiling: 1.5x to 1.4 ms"
  std::string keep;               // the best of them
  std::vector<std::string> fold;  // the others
};
std::vector<Duplicates> find_duplicates(const Session& session);
// The same, and retracts the others of each group.
std::vector<Duplicates> fold_duplicates(const Session& session);

}  // namespace explog::app
