// doctor: the environment, the health of the store, and on demand what the GPU here reaches.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "base/error.h"
#include "model/device_ceilings.h"
#include "store/health.h"
#include "store/salvage.h"

namespace explog::app {

struct DoctorOptions {
  bool rebuild = false, ceilings = false;
};

struct Health {
  std::vector<store::HealthCheck> environment;
  std::optional<DeviceCeilings> ceilings;  // measured and stored
  std::vector<store::HealthCheck> database;
  std::optional<Exit> failure;  // why the database could not be looked at; its line is the last
};

// Compilers, profilers and the GPU's own tool; with `python` the interpreter and what it has for kernels, which takes seconds.
std::vector<store::HealthCheck> tools_here(bool python);

// With `ceilings` it takes ten seconds and throws Error(unavailable) where there is no GPU.
Health examine(const DoctorOptions& options, const Session& session);

// Stores what can still be read of the damaged database in a new one at `out`. Throws Error(usage) where there is
// nothing to read, or something at `out`.
store::Salvaged salvage_to(const std::string& out, const Session& session);

}  // namespace explog::app
