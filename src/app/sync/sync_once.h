// One sync with one remote: what is new there comes in, what it lacks goes out.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "store/origins.h"
#include "store/remotes.h"
#include "sync/remote.h"

namespace explog::app {

struct SyncOptions {
  bool push = true, pull = true;
  bool full = false;     // read the remote from its beginning, not from where the last sync stopped
  bool dry_run = false;  // only say how much would go either way
};

struct Synced {
  std::int64_t pushed = 0, pulled = 0, quarantined = 0, deferred = 0;  // events
  std::int64_t waiting = 0;                                            // files that may still be on their way
  std::vector<std::string> notes;                                      // what the user should know
  std::vector<std::string> refused;                                    // the first hundred reasons
  std::optional<sync::Failure> failure;
};

// Never throws for what the remote does: that is in `failure`, and what was exchanged before counts.
Synced sync_once(const Session& session, store::Store& store, const store::RemoteRow& remote,
                 const SyncOptions& options);

// How many events we have that the remote lacks, and the other way round.
struct Distance {
  std::int64_t ahead = 0, behind = 0;
};
Distance distance(const std::vector<store::Origin>& ours, const sync::Welcome& welcome);

}  // namespace explog::app
