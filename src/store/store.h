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
#include "model/log_segment.h"
#include "model/trust.h"
#include "store/effects.h"
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
  std::vector<Uuid> also_known_as;  // ids that it may have here already; then it is not stored again
  std::int64_t at_ms = 0;

  // A record that was prepared (model/claim.h), with the body made from it.
  static Draft of(Experience experience);
  // Any other kind of event.
  static Draft of(Kind kind, std::string body);
};

struct Appended {
  Uuid id;
  bool created = true;  // false: the same content or idempotency key was there already
};

using Clock = std::function<std::int64_t()>;                                    // Unix time in milliseconds
using Reached = std::function<void(std::int64_t events, std::int64_t of_all)>;  // told as work goes on

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

  // Takes records back for good: their text is erased here, and wherever else this log is kept once it has
  // been told. Throws Error(usage) for an id that is unknown or erased already.
  void redact(const std::vector<std::int64_t>& rids, const std::string& reason);

  // The one way in for the logs of others: see store/receiver.h.
  class Receiver;

  // Adds the events of another explog database (its own read-only connection; nothing in it is executed).
  // Events known already are skipped; a hole or a conflicting event in an origin's sequence stops that origin
  // with a message. `trust` is given to origins first met here.
  struct Merged {
    std::int64_t added = 0, skipped = 0;
    std::vector<std::string> refused;
    std::vector<OriginId> unvouched;  // what they say was measured nobody answers for (store/chain.h)
  };
  Merged merge(const std::string& other_path, Trust trust = Trust::unreviewed, const Reached& reached = {});

  // Makes the database hold this edition of the records that ship (store/shipped.h), each with its content id and
  // time, in one transaction; an older edition goes. Nothing happens when it is there already.
  void put_shipped(const std::string& edition, const std::vector<Draft>& records);

  // Believes an origin more or less from now on: its records enter or leave the counts.
  void set_trust(std::int64_t origin_no, Trust trust, const std::optional<std::string>& label);
  // What an origin is called here.
  void set_label(std::int64_t origin_no, const std::string& label);
  // The same by what its own database says, where it has no name here.
  void suggest_label(const OriginId& origin, const std::string& label);

  // Rebuilds every projection from the log beside the present one and compares; when they differ, the rebuilt
  // one replaces it. Returns what differed, a line a table; empty when they were equal bit for bit.
  std::vector<std::string> rebuild(const Reached& reached = {});

  sql::Db& db() { return db_; }
  const std::string& path() const { return path_; }

 private:
  void append_in_transaction(std::vector<Draft>& drafts, std::vector<Appended>& results);
  void append_about(const std::vector<std::int64_t>& rids, Kind kind, const std::string& reason);
  // Takes what was erased out of the index and of the files' free space too.
  void forget_text();
  // Applies what older versions of this program could not.
  void apply_deferred();

  std::string path_;
  Clock clock_;
  sql::Db db_;
  std::int64_t inode_ = 0;
  std::int64_t self_ = 0;
  UuidMaker ids_;
  sql::RowWriter events_;
  Projector projector_;
  Effects effects_;
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

// A short change of its own.
void in_transaction(Store& store, const std::function<void(sql::Db&)>& change);

// The last rid of an origin's log; first_rid_of(origin_no) when it is empty.
std::int64_t log_head(sql::Db& db, std::int64_t origin_no);

}  // namespace explog::store
