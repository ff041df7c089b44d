// The secret key of a database's origin: PATH.key beside it, mode 0600, never inside it.
//
// Beside the file and not under $HOME, because a database is used where there is no home (containers, cron)
// and by several users. Not in it, because a database is copied, merged and sent to others: whoever gets the
// file must not be able to sign for it. A copy finds no key of its own origin and continues under a new one.
#pragma once
#include <optional>
#include <string>

#include "model/log_segment.h"

namespace explog::store {

struct OwnKey {
  OriginId origin{};
  KeySeed seed{};
  // How far the log was signed at least. It survives when the database is replaced by an older copy of
  // itself, and so tells that this has happened.
  std::int64_t seq = 0;
  std::string hash;  // the chain there
};

// Nothing when there is no such file, or none of ours.
std::optional<OwnKey> read_key(const std::string& database);
// Makes or replaces it; whole or not at all. Throws Error(store).
void write_key(const std::string& database, const OwnKey& key);

}  // namespace explog::store
