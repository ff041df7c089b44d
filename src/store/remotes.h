// The remotes that `sync` knows, and how far each has come.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/log_segment.h"
#include "model/trust.h"
#include "store/store.h"

namespace explog::store {

struct RemoteRow {
  std::string name, url;
  Trust trust = Trust::unreviewed;  // of origins first met there
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

}  // namespace explog::store
