// What a sync needs to know of the store besides taking in: who we are, who else there is, which remotes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/log_segment.h"
#include "store/key_file.h"
#include "store/store.h"

namespace explog::store {

struct Origin {
  std::int64_t no = 0;
  OriginId id{};
  bool self = false;
  int trust = 1;
  std::string label, via;
  std::optional<PublicKey> key;
  std::int64_t head = 0, signed_to = 0;
};
// All origins with at least one event, and our own.
std::vector<Origin> origins(sql::Db& db);

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

struct RemoteRow {
  std::string name, url;
  int trust = 1;
  std::string cursor;
  std::int64_t erased = 0, tried_at = 0, ok_at = 0;
  std::string last_error;
};
std::vector<RemoteRow> remotes(sql::Db& db);
void add_remote(Store& store, const RemoteRow& row);        // Throws Error(usage) when the name is taken
void remove_remote(Store& store, const std::string& name);  // Throws Error(usage) when there is none
void note_sync(Store& store, const std::string& name, std::int64_t at_ms, const std::string& error);
void note_erased(Store& store, const std::string& name, std::int64_t no);
// Within a transaction of the caller.
void set_cursor(sql::Db& db, const std::string& name, const std::string& cursor);

struct ErasedRow {
  std::int64_t no = 0;
  OriginId origin{};
  std::int64_t seq = 0;
  Digest digest{};
};
std::vector<ErasedRow> erased_since(sql::Db& db, std::int64_t no);

struct QuarantineRow {
  std::string remote;
  std::string origin;  // 16 bytes or none
  std::int64_t first = 0, last = 0;
  std::string reason;
  std::int64_t at_ms = 0;
};
void quarantine(sql::Db& db, const QuarantineRow& row);  // within a transaction of the caller
std::vector<QuarantineRow> quarantined(sql::Db& db);

}  // namespace explog::store
