// What the GPUs seen here were measured to reach.
#pragma once
#include <optional>
#include <string>

#include "base/sqlite.h"
#include "model/device_ceilings.h"

namespace explog::store {

// The newest measurement of the GPU called `gpu`; without a name, of the only GPU of `arch` that was
// measured. Nothing when there is none.
std::optional<DeviceCeilings> ceilings_of(sql::Db& db, const std::string& gpu, const std::string& arch);

}  // namespace explog::store
