// The log and its one write path.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/event.h"
#include "model/experience.h"
#include "store/projection.h"
#include "store/transaction.h"

namespace explog::store {

// What is to be appended. `at_ms` 0 means now; without `id` a UUIDv7 is made. An imported record has the
// UUIDv8 of its body, so that importing it twice adds nothing.
struct Draft {
  Kind kind = Kind::experience;
  std::string body;
  Experience experience;  // body parsed and prepared, when kind is experience
  std::optional<Uuid> id;
  std::int64_t at_ms = 0;
};

struct Appended {
  Uuid id;
  bool created = true;  // false: the same content or idempotency key was there already
};

using Clock = std::function<std::int64_t()>;  // Unix time in milliseconds

class Store {
 public:
  // Throws Error(store) as open_to_write does.
  Store(std::string path, Clock clock);

  // Appends all drafts in one transaction, with their projections; when it returns they are on disk
  // (synchronous=FULL). Drafts whose content id or idempotency key is known already are not stored again.
  std::vector<Appended> append(std::vector<Draft> drafts);

  // The same for a long stream: batches in one transaction, on disk only after commit(). One at a time.
  class Bulk;

  // Takes records back, each with its reason. Throws Error(usage) for an id that is unknown or retracted
  // already.
  void retract(const std::vector<std::int64_t>& rids, const std::string& reason);

  // Adds the events of another explog database (its own read-only connection; nothing in it is executed).
  // Events known already are skipped; a hole or a conflicting event in an origin's sequence stops that origin
  // with a message.
  struct Merged {
    std::int64_t added = 0, skipped = 0;
    std::vector<std::string> refused;
  };
  Merged merge(const std::string& other_path);

  // Rebuilds every projection from the log beside the present one and compares; when they differ, the rebuilt
  // one replaces it. Returns what differed, a line a table; empty when they were equal bit for bit.
  std::vector<std::string> rebuild();

  sql::Db& db() { return db_; }
  const std::string& path() const { return path_; }

 private:
  void append_in_transaction(std::vector<Draft>& drafts, std::vector<Appended>& results);
  // Brings the projection of one event in line with what the log says about it: counted or not.
  void refresh(std::int64_t rid);
  void apply_retraction(std::int64_t by_rid, std::string_view body);
  std::int64_t origin_number(std::string_view origin);
  std::int64_t head(std::int64_t origin_no);

  std::string path_;
  Clock clock_;
  sql::Db db_;
  std::int64_t inode_ = 0;
  std::int64_t self_ = 0;
  UuidMaker ids_;
  Projector projector_;
};

class Store::Bulk {
 public:
  explicit Bulk(Store& store);
  ~Bulk();
  Bulk(const Bulk&) = delete;
  Bulk& operator=(const Bulk&) = delete;
  std::vector<Appended> add(std::vector<Draft> drafts);
  void commit();

 private:
  Store& store_;
  std::unique_ptr<Transaction> transaction_;
};

// The experience in an event's body, parsed and prepared; nothing when it cannot be used (it stays in the log
// and does not count).
std::optional<Experience> countable(std::string_view body);

}  // namespace explog::store
