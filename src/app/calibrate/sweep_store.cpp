#include "app/calibrate/sweep_store.h"

#include <algorithm>

#include "base/error.h"
#include "bench/judge/record.h"
#include "model/claim.h"

namespace explog::app {

void record_measurement(const Session& session, const Measurement& m) {
  store::Draft draft = store::Draft::of(Kind::measurement, bench::log_line(m));
  draft.id = uuid_v8(draft.body);
  session.writer().append({std::move(draft)});
}

std::size_t record_changes(const Session& session, std::vector<Experience>& list) {
  std::vector<store::Draft> drafts;
  for (Experience& e : list) {
    Remarks remarks = prepare(e, "measured");
    if (remarks.refused) throw Error(Exit::usage, "not recorded: " + *remarks.refused);
    drafts.push_back(store::Draft::of(e));
    drafts.back().id = uuid_v8(drafts.back().body);
  }
  std::vector<store::Appended> stored = session.writer().append(std::move(drafts));
  return static_cast<std::size_t>(
      std::count_if(stored.begin(), stored.end(), [](const store::Appended& a) { return a.created; }));
}

}  // namespace explog::app
