#include "store/receiver.h"

#include <fmt/format.h>

#include "base/error.h"
#include "store/chain.h"
#include "store/event_rows.h"
#include "store/open.h"
#include "store/shipped.h"

namespace explog::store {
namespace {

constexpr auto count_erased = "SELECT coalesce(max(no), 0) FROM erased";

}  // namespace

Store::Receiver::Receiver(Store& store, ReceiveOptions options)
    : store_(store), options_(std::move(options)) {
  store_.db_.exec("PRAGMA secure_delete=ON");  // others' redactions must leave nothing in free pages
}

Store::Receiver::~Receiver() { store_.projector_.forget(); }

sql::Db& Store::Receiver::begin() {
  if (!transaction_) {
    transaction_ = std::make_unique<Transaction>(store_.db_, store_.path_, store_.inode_);
    own_origin(store_.db_, store_.path_);
    erased_ = store_.db_.integer(count_erased);
  }
  return store_.db_;
}

void Store::Receiver::commit() {
  if (!transaction_) return;
  store_.projector_.flush();
  bool erased = store_.db_.integer(count_erased) != erased_;
  transaction_->commit();
  transaction_.reset();
  if (erased) store_.forget_text();
  known_.clear();  // others may write before the next transaction
  uncommitted_ = 0;
}

Store::Receiver::KnownOrigin& Store::Receiver::known(const OriginId& origin) {
  auto found = known_.find(origin);
  if (found != known_.end()) return found->second;
  sql::Db& db = store_.db_;
  KnownOrigin k;
  k.no = store_.effects_.origin_number(bytes_of(origin));
  // Named by others before, perhaps, but met only now.
  db.run(
      "UPDATE origin SET trust=?, via=? WHERE no=? AND via='' AND is_self=0 AND NOT EXISTS (SELECT 1 FROM "
      "event WHERE rid>? AND rid<?)",
      {static_cast<std::int64_t>(options_.trust), options_.via, k.no, first_rid_of(k.no),
       first_rid_of(k.no + 1)});
  k.head = sequence_of(log_head(db, k.no));
  k.chain = chain_at(db, k.no, k.head);
  if (k.head > 0) remember_link(db, k.no, k.head, k.chain);
  k.self = db.integer("SELECT is_self FROM origin WHERE no=" + std::to_string(k.no)) == 1;
  return known_[origin] = k;
}

// The first key that signed for an origin is the one that goes on doing so.
std::string Store::Receiver::check_key(std::int64_t no, const Segment& segment) {
  if (!segment.signature) return "";  // the end of a database file
  sql::Stmt read(store_.db_, "SELECT public_key FROM origin WHERE no=?");
  read.bind(1, no);
  read.step();
  std::string key = bytes_of(segment.key);
  if (!read.is_null(0)) return read.blob(0) == key ? "" : "it is signed with another key than its origin's";
  read.reset();
  sql::Stmt pin(store_.db_, "UPDATE origin SET public_key=? WHERE no=?");
  pin.bind_blob(1, key).bind(2, no);
  pin.run();
  return "";
}

std::optional<std::int64_t> Store::Receiver::difference(const KnownOrigin& k, const Segment& segment) {
  if (segment.first > k.head) return std::nullopt;
  Segment here = unsigned_segment(store_.db_, k.no, segment.first, std::min(k.head, segment.last()));
  std::string theirs = segment.prev, ours = segment.prev;
  for (size_t i = 0; i < std::min(here.events.size(), segment.events.size()); ++i) {
    std::int64_t seq = segment.first + static_cast<std::int64_t>(i);
    theirs = bytes_of(chain_step(segment.origin, seq, theirs, segment.events[i]));
    ours = bytes_of(chain_step(segment.origin, seq, ours, here.events[i]));
    if (theirs != ours) return seq;
  }
  return std::nullopt;
}

std::string Store::Receiver::make_room(KnownOrigin& k, const Segment& segment, std::int64_t from,
                                       Taken& taken) {
  sql::Db& db = store_.db_;
  bool differs = from <= k.head;
  if (differs && (from <= signed_to(db, k.no) || !segment.signature)) {
    return fmt::format("event {} differs from the one known here: its origin was copied and continued twice",
                       from);
  }
  bool ours = k.self || db.integer("SELECT via='here' FROM origin WHERE no=" + std::to_string(k.no)) == 1;
  if (k.self) {
    mint_origin(db, store_.path_);
    taken.set_back = true;
  }
  std::optional<std::int64_t> keep_as;
  if (ours) keep_as = db.integer("SELECT no FROM origin WHERE is_self=1");
  if (differs) move_tail(db, store_.effects_, k.no, from, keep_as);
  known_.clear();
  return "";
}

Taken Store::Receiver::take(const VerifiedSegment& verified) {
  const Segment& segment = verified.segment();
  begin();
  Taken taken;
  auto refuse = [&](const std::string& reason) {
    taken.answer = Taken::Answer::refused;
    taken.reason = reason;
    return taken;
  };
  if (is_shipped(segment.origin)) return refuse("it claims to be of the records that ship with explog");
  KnownOrigin* k = &known(segment.origin);
  if (segment.first > k->head + 1) {
    taken.answer = Taken::Answer::gap;
    taken.reason = fmt::format("event {} is missing before {}", k->head + 1, segment.first);
    return taken;
  }
  if (std::string fault = check_key(k->no, segment); !fault.empty()) return refuse(fault);
  std::string before =
      segment.first == k->head + 1 ? k->chain : chain_at(store_.db_, k->no, segment.first - 1);
  if (segment.prev != before)
    return refuse(fmt::format("it does not continue the log known here: event {} or one before it differs",
                              segment.first - 1));
  auto differs = difference(*k, segment);
  if (differs || (k->self && segment.last() > k->head)) {
    std::string fault = make_room(*k, segment, differs.value_or(k->head + 1), taken);
    if (!fault.empty()) return refuse(fault);
    k = &known(segment.origin);
  }
  insert(*k, verified, taken);
  taken.answer = taken.added > 0 ? Taken::Answer::added : Taken::Answer::known;
  return taken;
}

void Store::Receiver::insert(KnownOrigin& k, const VerifiedSegment& verified, Taken& taken) {
  const Segment& segment = verified.segment();
  sql::Db& db = store_.db_;
  sql::Stmt put(db, insert_event);
  sql::Stmt gone(db, "INSERT OR IGNORE INTO erased(rid, digest) VALUES (?,?)");
  auto skip = static_cast<size_t>(k.head + 1 - segment.first);
  taken.skipped += static_cast<std::int64_t>(std::min(skip, segment.events.size()));
  for (size_t i = skip; i < segment.events.size(); ++i) {
    const LogEvent& e = segment.events[i];
    std::int64_t rid = first_rid_of(k.no) + segment.first + static_cast<std::int64_t>(i);
    Event event{e.id, static_cast<Kind>(e.kind), e.version, e.at_ms, e.body};
    put_event(put, rid, event);
    if (e.redacted) {
      std::string digest = bytes_of(*e.redacted);
      gone.bind(1, rid).bind_blob(2, digest);
      gone.run();
    }
    bool known_kind = understood(e.kind, e.version);
    taken.deferred += known_kind ? 0 : 1;
    store_.effects_.arrived(rid, event, verified.record(i));
    ++taken.added;
    ++uncommitted_;
  }
  if (segment.signature) {
    remember_segment(db, k.no, segment);
  } else if (segment.last() > k.head) {
    remember_link(db, k.no, segment.last(), bytes_of(segment.head));
  }
  if (segment.last() <= k.head) return;
  k.head = segment.last();
  k.chain = bytes_of(segment.head);
}

}  // namespace explog::store
