#include "store/configurations.h"

#include "model/event.h"
#include "model/json.h"
#include "model/trust.h"

namespace explog::store {

std::vector<ConfigSet> config_sets(sql::Db& db, const std::string& runtime, const std::string& kernel) {
  sql::Stmt read(db,
                 "SELECT e.body, o.trust FROM event e JOIN origin o ON o.no = e.rid >> 40 "
                 "WHERE e.kind = ? AND e.version <= ? AND e.body <> '' ORDER BY e.rid");
  read.bind(1, static_cast<std::int64_t>(Kind::configurations)).bind(2, std::int64_t{event_version});
  std::vector<ConfigSet> sets;
  while (read.step()) {
    if (stored_trust(read.integer(1)) == Trust::blocked) continue;
    try {
      ConfigSet set = parse_config_set(read.text(0));
      if (set.runtime == runtime && (kernel.empty() || set.kernel == kernel)) sets.push_back(std::move(set));
    } catch (const JsonError&) {  // a later program's, or a stranger's
    }
  }
  return sets;
}

}  // namespace explog::store
