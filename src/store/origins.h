// Who has written into this log, and who we are in it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/log_segment.h"
#include "model/trust.h"
#include "store/key_file.h"
#include "store/store.h"

namespace explog::store {

struct Origin {
  std::int64_t no = 0;
  OriginId id{};
  bool self = false;
  Trust trust = Trust::unreviewed;
  std::string label, via;
  std::optional<PublicKey> key;
  std::int64_t head = 0, signed_to = 0;
};
// All origins with at least one event, and our own.
std::vector<Origin> origins(sql::Db& db);
// Our own alone; nothing where none was made yet.
std::optional<Origin> own(sql::Db& db);

// Our origin with the key that signs for it; both are made when there are none yet. When the key is lost,
// what was not signed yet goes on under a new origin.
struct Self {
  Origin origin;
  OwnKey key;
  // The key's file remembers more than the log holds: the database was replaced by an older copy of itself.
  // Nothing may be signed until a remote gave back what was published before.
  bool set_back = false;
};
Self prepare_self(Store& store);
// Signs the next of what is not signed yet, a segment a thousand events; false when there was nothing left.
bool sign_some(Store& store, Self& self);

}  // namespace explog::store
