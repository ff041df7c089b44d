#include "store/devices.h"

#include "model/json.h"

namespace explog::store {

std::optional<DeviceCeilings> ceilings_of(sql::Db& db, const std::string& gpu, const std::string& arch) {
  sql::Stmt find(db, "SELECT body FROM event WHERE kind = 6 ORDER BY rid DESC LIMIT 1000");
  std::optional<DeviceCeilings> best;
  while (find.step()) {
    try {
      DeviceCeilings c = parse_device_ceilings(find.text(0));
      if (gpu.empty() ? c.arch != arch : c.gpu != gpu) continue;
      if (!gpu.empty()) return c;
      if (best && best->gpu != c.gpu)
        return std::nullopt;  // several GPUs of the arch: which one is not known
      if (!best) best = c;
    } catch (const JsonError&) {
      continue;  // a newer version's event, or a stranger's
    }
  }
  return best;
}

}  // namespace explog::store
