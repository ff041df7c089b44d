#include "bench/sweep_source.h"

#include "base/embedded.h"
#include "model/backend.h"

namespace explog::bench {
namespace {

bool is_sweep(std::string_view path) {
  std::size_t name = path.rfind('/') + 1;
  return path.starts_with("kernels/") && path.substr(name).starts_with("sweep") && path.ends_with(".json");
}

}  // namespace

std::string configuration_name(const Sweep& sweep, const Settings& settings) {
  return sweep.file + " " + settings_text(settings);
}

std::vector<FoundSweep> embedded_sweeps(const std::string& backend) {
  std::vector<FoundSweep> found;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!is_sweep(file.path)) continue;
    Sweep sweep = parse_sweep(file.text);
    if (backend_of_file(sweep.file) != backend) continue;
    std::string_view folder = file.path.substr(8, file.path.rfind('/') - 8);
    found.push_back({std::string(folder), std::move(sweep)});
  }
  return found;
}

}  // namespace explog::bench
