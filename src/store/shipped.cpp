#include "store/shipped.h"

#include <algorithm>
#include <optional>

#include "store/event_rows.h"
#include "store/history.h"
#include "store/known_ids.h"
#include "store/store.h"

namespace explog::store {
namespace {

constexpr const char* edition_setting = "shipped";
constexpr std::string_view mark = "explog:s";  // the first half of such an origin's id

// Whether all of them are here already: somebody imported them by hand, as was the way before.
bool all_known(sql::Db& db, const std::vector<Draft>& records) {
  KnownIds known(db);
  return std::all_of(records.begin(), records.end(),
                     [&](const Draft& draft) { return known.has(*draft.id); });
}

// Takes an older edition out; how far it was believed, if there was one.
std::optional<std::int64_t> drop_older(sql::Db& db, Effects& effects) {
  std::optional<std::int64_t> trust;
  sql::Stmt read(db, "SELECT no, origin, trust FROM origin");
  while (read.step()) {
    auto id = array_of<16>(read.blob(1));
    if (!id || !is_shipped(*id)) continue;
    std::int64_t no = read.integer(0);
    if (log_head(db, no) == first_rid_of(no)) continue;
    trust = read.integer(2);
    std::vector<std::int64_t> rids;
    sql::Stmt events(db, "SELECT rid FROM event WHERE rid>?1 AND rid<?2");
    events.bind(1, first_rid_of(no)).bind(2, first_rid_of(no + 1));
    while (events.step()) rids.push_back(events.integer(0));
    for (std::int64_t rid : rids) effects.withdraw(rid);
  }
  return trust;
}

}  // namespace

OriginId shipped_origin(const std::string& edition) {
  Bytes16 digest = blake2b_128(edition);
  OriginId origin{};
  std::copy(mark.begin(), mark.end(), origin.begin());
  std::copy_n(digest.begin(), origin.size() - mark.size(), origin.begin() + mark.size());
  return origin;
}

bool is_shipped(const OriginId& origin) { return std::equal(mark.begin(), mark.end(), origin.begin()); }

std::string shipped_edition(sql::Db& db) { return setting(db, edition_setting); }

void Store::put_shipped(const std::string& edition, const std::vector<Draft>& records) {
  Transaction transaction(db_, path_, inode_);
  if (shipped_edition(db_) == edition) return;  // another process was faster
  auto trust = drop_older(db_, effects_);
  if (!all_known(db_, records)) {
    std::int64_t no = effects_.origin_number(bytes_of(shipped_origin(edition))), rid = first_rid_of(no);
    db_.run("UPDATE origin SET trust=?, label=?, via='explog' WHERE no=?",
            {trust.value_or(static_cast<std::int64_t>(Trust::team)), std::string(shipped_label), no});
    sql::Stmt insert(db_, insert_event);
    for (const Draft& draft : records) {
      Event event{*draft.id, draft.kind, event_version, draft.at_ms, draft.body};
      put_event(insert, ++rid, event);
      effects_.arrived(rid, event, &draft.experience);
    }
  }
  keep_setting(db_, edition_setting, edition);
  projector_.flush();
  transaction.commit();
}

ShippedRows::ShippedRows(sql::Db& db) {
  sql::Stmt read(db, "SELECT no, origin FROM origin");
  while (read.step()) {
    auto id = array_of<16>(read.blob(1));
    if (id && is_shipped(*id)) origins_.insert(read.integer(0));
  }
}

}  // namespace explog::store
