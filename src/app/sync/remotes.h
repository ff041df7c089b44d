// The places that `sync` exchanges with.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "model/trust.h"
#include "store/remotes.h"
#include "sync/remote.h"

namespace explog::app {

struct AddedRemote {
  std::string name, url;
  std::string where;  // the URL as it may be shown
};
// Remembers a place; nothing is asked of it yet. `trust` is given to origins first met there. Throws
// Error(usage) for a name or URL that cannot be one, or that holds a password.
AddedRemote add_remote(const Session& session, const std::string& name, const std::string& url, Trust trust);

std::vector<store::RemoteRow> list_remotes(const Session& session);
void remove_remote(const Session& session, const std::string& name);

// Makes a place ready for a team, by the name of a remote or by its URL; what to tell the user.
sync::Outcome<std::string> found_remote(const Session& session, const std::string& name_or_url,
                                        const sync::Founding& founding);

}  // namespace explog::app
