#include "store/devices.h"

#include "model/cards.h"
#include "model/event.h"
#include "model/json.h"

namespace explog::store {

std::optional<DeviceCeilings> ceilings_of(sql::Db& db, const std::string& gpu, const std::string& arch) {
  sql::Stmt find(db, "SELECT body FROM event WHERE kind = ? ORDER BY rid DESC LIMIT 1000");
  find.bind(1, static_cast<std::int64_t>(Kind::device));
  std::optional<DeviceCeilings> best;
  while (find.step()) {
    try {
      DeviceCeilings c = parse_device_ceilings(find.text(0));
      bool same_card = c.gpu == gpu || (find_card(gpu) != nullptr && find_card(c.gpu) == find_card(gpu));
      if (gpu.empty() ? c.arch != arch : !same_card) continue;
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
