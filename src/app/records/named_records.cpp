#include "app/records/named_records.h"

#include <algorithm>

#include "base/error.h"
#include "model/json.h"
#include "store/code_folder.h"
#include "store/origins.h"
#include "store/shipped.h"

namespace explog::app {
namespace {

// The records that `names` mean, checked one by one, and the copies of each.
struct Chosen {
  std::vector<std::string> ids;
  std::vector<std::int64_t> named, rids;  // one for each id; with all copies
};

// How far it goes that a record of somebody else is taken back.
void tell_of_others(sql::Db& db, const Chosen& chosen, const Session& session) {
  const std::vector<store::Origin> origins = store::origins(db);
  for (std::size_t i = 0; i < chosen.ids.size(); ++i) {
    auto by = std::find_if(origins.begin(), origins.end(),
                           [&](const store::Origin& o) { return o.no == chosen.named[i] >> 40; });
    if (by == origins.end() || by->self) continue;
    session.warn(chosen.ids[i] + (store::is_shipped(by->id)
                                      ? " ships with explog: this holds in this database alone"
                                      : " is of another origin: this holds here, and for those who trust "
                                        "this database as team"));
  }
}

Chosen choose(sql::Db& db, const std::vector<std::string>& names, void (*check)(const store::Record&)) {
  Chosen chosen;
  for (const std::string& name : names) {
    store::Record record = store::load(db, store::resolve(db, name));
    check(record);
    for (std::int64_t rid : store::same_id(db, record.rid)) chosen.rids.push_back(rid);
    chosen.ids.push_back(record.id);
    chosen.named.push_back(record.rid);
  }
  return chosen;
}

void check_retractable(const store::Record& record) {
  if (!record.is_experience())
    throw Error(Exit::usage, record.id + " is not an experience: only experiences can be retracted");
  if (record.retracted) throw Error(Exit::usage, record.id + " is retracted already: " + *record.retracted);
}

void check_erasable(const store::Record& record) {
  auto kind = static_cast<Kind>(record.kind);
  if (kind != Kind::experience && kind != Kind::measurement && kind != Kind::device &&
      kind != Kind::configurations)
    throw Error(Exit::usage, record.id + " has no text to erase: it only refers to other records");
}

// Device code gives a source away as its text does.
void erase_code(sql::Db& db, const std::vector<std::int64_t>& rids, const Session& session) {
  store::CodeFolder folder(session.database());
  for (std::int64_t rid : rids) {
    store::Record record = store::load(db, rid);
    if (!record.is_experience() || record.body.empty()) continue;
    try {
      Experience e = parse_experience(record.body);
      for (const std::string& hash : {e.code_before, e.code_after}) folder.erase(hash);
    } catch (const JsonError&) {  // a stranger's event may hold anything
    }
  }
}

}  // namespace

std::vector<store::Record> find_records(const Session& session, const std::vector<std::string>& names) {
  sql::Db db = session.reader();
  std::vector<store::Record> records;
  for (const std::string& name : names) records.push_back(store::load(db, store::resolve(db, name)));
  return records;
}

std::vector<std::string> retract(const Session& session, const std::vector<std::string>& names,
                                 const std::string& reason) {
  store::Store store = session.writer();
  Chosen chosen = choose(store.db(), names, check_retractable);
  store.retract(chosen.rids, reason);
  tell_of_others(store.db(), chosen, session);
  return chosen.ids;
}

std::vector<std::string> redact(const Session& session, const std::vector<std::string>& names,
                                const std::string& reason) {
  store::Store store = session.writer();
  Chosen chosen = choose(store.db(), names, check_erasable);
  erase_code(store.db(), chosen.rids, session);
  store.redact(chosen.rids, reason);
  tell_of_others(store.db(), chosen, session);
  return chosen.ids;
}

}  // namespace explog::app
