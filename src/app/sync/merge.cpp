#include "app/sync/merge.h"

#include "app/session/progress.h"
#include "store/duplicates.h"
#include "store/read.h"

namespace explog::app {
namespace {

Duplicates named(sql::Db& db, const store::DuplicateGroup& group) {
  std::vector<std::string> ids = store::ids_of(db, group.rids);
  return {group.what, ids[0], {ids.begin() + 1, ids.end()}};
}

}  // namespace

store::Store::Merged merge_files(const Session& session, const std::vector<std::string>& files, Trust trust) {
  store::Store store = session.writer();
  store::Store::Merged total;
  for (const std::string& file : files) {
    Progress progress(session, "merging " + file, "events");
    auto reached = [&](std::int64_t n, std::int64_t all) { progress.of(n, all); };
    store::Store::Merged merged = store.merge(file, trust, reached);
    total.added += merged.added;
    total.skipped += merged.skipped;
    for (const std::string& text : merged.refused) total.refused.push_back(file + ": " + text);
    total.unvouched.insert(total.unvouched.end(), merged.unvouched.begin(), merged.unvouched.end());
  }
  return total;
}

std::vector<Duplicates> find_duplicates(const Session& session) {
  sql::Db db = session.reader();
  std::vector<Duplicates> list;
  for (const store::DuplicateGroup& group : store::find_duplicates(db)) list.push_back(named(db, group));
  return list;
}

std::vector<Duplicates> fold_duplicates(const Session& session) {
  store::Store store = session.writer();
  std::vector<Duplicates> list;
  for (const store::DuplicateGroup& group : store::find_duplicates(store.db())) {
    const Duplicates& folded = list.emplace_back(named(store.db(), group));
    store.retract({group.rids.begin() + 1, group.rids.end()}, "duplicate of " + folded.keep);
  }
  return list;
}

}  // namespace explog::app
