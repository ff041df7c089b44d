// The one way in for events of others: remotes, directories and database files alike.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/log_segment.h"
#include "store/store.h"
#include "store/verified_segment.h"

namespace explog::store {

// What became of a segment.
struct Taken {
  enum class Answer {
    added,    // at least one event was new
    known,    // all of it was here, the same to the bit
    gap,      // events before it are missing: it will fit later
    refused,  // `reason` says why; nothing of it was stored
  };
  Answer answer = Answer::known;
  std::int64_t added = 0, skipped = 0, deferred = 0;
  std::string reason;
  bool set_back = false;  // this database had been replaced by an older copy; it goes on as a new origin
};

struct ReceiveOptions {
  Trust trust = Trust::unreviewed;  // of origins met for the first time
  std::string via;                  // where they were met
};

// Takes segments in, many in one transaction.
class Store::Receiver {
 public:
  Receiver(Store& store, ReceiveOptions options);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  Taken take(const VerifiedSegment& verified);
  // Opens the transaction that take() opens by itself: what else must become true with it can be written.
  sql::Db& begin();
  void commit();
  std::int64_t uncommitted() const { return uncommitted_; }

 private:
  struct KnownOrigin {
    std::int64_t no = 0, head = 0;
    std::string chain;
    bool self = false;
  };
  KnownOrigin& known(const OriginId& origin);
  std::string check_key(std::int64_t no, const Segment& segment);
  // The number of the first event in which the log and the segment differ; nothing when they agree.
  std::optional<std::int64_t> difference(const KnownOrigin& k, const Segment& segment);
  // Takes the log's events from `from` on away (or moves them to a new origin of this file) where a signed
  // segment shows that this file had been replaced by an older copy of itself. Returns why that may not be
  // done, "" when it is.
  std::string make_room(KnownOrigin& k, const Segment& segment, std::int64_t from, Taken& taken);
  void insert(KnownOrigin& k, const VerifiedSegment& verified, Taken& taken);

  Store& store_;
  ReceiveOptions options_;
  std::unique_ptr<Transaction> transaction_;
  std::map<OriginId, KnownOrigin> known_;
  std::int64_t uncommitted_ = 0, erased_ = 0;
};

// Takes the events from `first` on out of an origin's log and appends them to the log of origin `keep_as`, or
// drops them when there is none. The caller owns the transaction.
void move_tail(sql::Db& db, Effects& effects, std::int64_t origin_no, std::int64_t first,
               std::optional<std::int64_t> keep_as);

}  // namespace explog::store
