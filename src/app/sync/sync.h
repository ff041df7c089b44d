// Sync with the remotes of a store, one after the other.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/sync/sync_once.h"

namespace explog::app {

struct RemoteSync {
  std::string name;
  Synced done;
};
// Syncs with the remote called `name`, without a name with all. `report` hears of each as soon as it is
// through. Throws Error(usage) when there is no such remote.
std::vector<RemoteSync> sync_remotes(const Session& session, const std::string& name,
                                     const SyncOptions& options,
                                     const std::function<void(const RemoteSync&)>& report);

struct RemoteStatus {
  std::string name, url;
  Distance distance;                     // when it was reached
  std::optional<sync::Failure> failure;  // when it was not
  std::int64_t last_sync_ms = 0;         // 0: never
  std::string last_error;                // of the last sync; empty when it went well
};
// Asks the same remotes how far ahead and behind they are; exchanges nothing.
std::vector<RemoteStatus> remote_statuses(const Session& session, const std::string& name,
                                          const std::function<void(const RemoteStatus&)>& report);

}  // namespace explog::app
