#include "app/sync/sync.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace explog::app {
namespace {

std::vector<store::RemoteRow> remotes_called(const std::string& name, store::Store& store) {
  std::vector<store::RemoteRow> rows = store::remotes(store.db());
  if (rows.empty()) throw Error(Exit::usage, "there is no remote", "explog remote add NAME URL");
  if (name.empty()) return rows;
  std::vector<std::string> names;
  for (const store::RemoteRow& row : rows) names.push_back(row.name);
  std::erase_if(rows, [&](const store::RemoteRow& row) { return row.name != name; });
  if (rows.empty()) {
    throw Error(Exit::usage, "no remote '" + printable(name) + "'" + did_you_mean(name, names),
                "explog remote list");
  }
  return rows;
}

// Our origins, our own among them.
std::vector<store::Origin> origins_with_own(store::Store& store) {
  auto ours = store::origins(store.db());
  if (std::any_of(ours.begin(), ours.end(), [](const store::Origin& o) { return o.self; })) return ours;
  store::prepare_self(store);
  return store::origins(store.db());
}

RemoteStatus status_of(const store::RemoteRow& row, store::Store& store,
                       const std::vector<store::Origin>& ours) {
  RemoteStatus status{row.name, row.url, {}, {}, row.ok_at, row.last_error};
  sync::Identity self;
  for (const store::Origin& o : ours) {
    if (o.self) self = {o.id, o.key.value_or(PublicKey{}), ""};
  }
  // An origin that never published is not announced by a mere question.
  if (self.key == PublicKey{}) self.key = *store::prepare_self(store).origin.key;
  auto welcome = sync::make_remote(row.url)->connect(self, row.cursor);
  if (welcome) {
    status.distance = distance(ours, *welcome);
  } else {
    status.failure = welcome.failure();
  }
  return status;
}

}  // namespace

std::vector<RemoteSync> sync_remotes(const Session& session, const std::string& name,
                                     const SyncOptions& options,
                                     const std::function<void(const RemoteSync&)>& report) {
  store::Store store = session.writer();
  std::vector<RemoteSync> all;
  for (const store::RemoteRow& row : remotes_called(name, store))
    report(all.emplace_back(RemoteSync{row.name, sync_once(session, store, row, options)}));
  return all;
}

std::vector<RemoteStatus> remote_statuses(const Session& session, const std::string& name,
                                          const std::function<void(const RemoteStatus&)>& report) {
  store::Store store = session.writer();
  std::vector<store::RemoteRow> rows = remotes_called(name, store);
  auto ours = origins_with_own(store);
  std::vector<RemoteStatus> all;
  for (const store::RemoteRow& row : rows) report(all.emplace_back(status_of(row, store, ours)));
  return all;
}

}  // namespace explog::app
