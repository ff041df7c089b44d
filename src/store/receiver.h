// The one way in for events of others: remotes, directories and database files alike.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/log_segment.h"
#include "store/store.h"

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
  int trust = 1;               // of origins met for the first time
  std::string via;             // where they were met
  bool need_signature = true;  // false only for a file that the user names
};

// Takes segments in, many in one transaction.
class Store::Receiver {
 public:
  Receiver(Store& store, ReceiveOptions options);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // `parsed` holds countable(body) of each event that is a record. The segment was looked at by fault_of().
  Taken take(const Segment& segment, const std::vector<std::optional<Experience>>& parsed);
  // Opens the transaction that take() opens by itself: what else must become true with it can be written.
  sql::Db& begin();
  void commit();
  std::int64_t uncommitted() const { return uncommitted_; }

 private:
  struct Known {
    std::int64_t no = 0, head = 0;
    std::string chain;
    bool self = false;
  };
  Known& known(const OriginId& origin);
  std::string check_key(std::int64_t no, const Segment& segment);
  // The first event in which segment and log differ; nothing when what they share is the same.
  std::optional<std::int64_t> difference(const Known& k, const Segment& segment);
  // Makes room for a segment that contradicts what is here, where that may be done; else says why not.
  std::string yield(Known& k, const Segment& segment, std::int64_t from, Taken& taken);
  void insert(Known& k, const Segment& segment, const std::vector<std::optional<Experience>>& parsed,
              Taken& taken);

  Store& store_;
  ReceiveOptions options_;
  std::unique_ptr<Transaction> transaction_;
  std::map<OriginId, Known> known_;
  std::int64_t uncommitted_ = 0, erased_ = 0;
};

// Takes the events from `first` on out of an origin's log and appends them to a new origin of this file
// (`keep`), or drops them. The caller owns the transaction.
void give_up_tail(sql::Db& db, Effects& effects, std::int64_t origin_no, std::int64_t first,
                  std::optional<std::int64_t> keep_as);

}  // namespace explog::store
