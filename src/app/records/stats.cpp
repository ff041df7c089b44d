#include "app/records/stats.h"

namespace explog::app {

Stats stats(const Session& session, int strategies) {
  sql::Db db = session.reader();
  return store::totals(db, strategies);
}

}  // namespace explog::app
