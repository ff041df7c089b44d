#include "app/sync/sync_once.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <thread>

#include "app/session/progress.h"
#include "base/channel.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "store/chain.h"
#include "store/quarantine.h"
#include "store/receiver.h"
#include "store/shipped.h"
#include "store/verified_segment.h"

namespace explog::app {
namespace {

using store::Taken;

constexpr std::int64_t transaction_events = 20000;
constexpr size_t reasons_kept = 100;
constexpr size_t pages_waiting = 3;
constexpr int stale_answers = 3;  // of a remote that cannot say where an origin's log ends

std::string short_id(const OriginId& origin) { return hex(origin).substr(0, 8); }

struct Load {
  std::vector<store::Verified> segments;
  std::vector<sync::Problem> problems;
  std::string cursor;
};

// The reading side, in a thread of its own: fetches pages, verifies, parses.
class Fetcher {
 public:
  Fetcher(sync::Remote& remote, sync::Heads have, std::map<OriginId, PublicKey> keys)
      : remote_(remote), have_(std::move(have)), keys_(std::move(keys)) {}

  // Until the end, a failure, or nobody takes any more.
  std::optional<sync::Failure> run(Channel<Load>& to) {
    for (bool end = false; !end;) {
      auto page = remote_.pull(have_);
      if (!page) return page.failure();
      end = page->end;
      Load load{{}, std::move(page->problems), std::move(page->cursor)};
      for (Segment& segment : page->segments) load.segments.push_back(verified(std::move(segment)));
      if (!to.push(std::move(load))) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  // The first key that signs for an origin must go on doing so.
  store::Verified verified(Segment segment) {
    auto key = keys_.find(segment.origin);
    auto result =
        store::verify(std::move(segment), key == keys_.end() ? std::nullopt : std::optional(key->second));
    if (auto* sound = std::get_if<store::VerifiedSegment>(&result)) {
      const Segment& s = sound->segment();
      keys_.emplace(s.origin, s.key);
      std::int64_t& seq = have_[s.origin].seq;
      if (s.first <= seq + 1) seq = std::max(seq, s.last());
    }
    return result;
  }

  sync::Remote& remote_;
  sync::Heads have_;
  std::map<OriginId, PublicKey> keys_;
};

class Exchange {
 public:
  Exchange(const Session& session, store::Store& store, const store::RemoteRow& row,
           const SyncOptions& options)
      : session_(session), store_(store), row_(row), options_(options), remote_(sync::make_remote(row.url)) {}

  Synced run() {
    self_ = store::prepare_self(store_);
    auto welcome = remote_->connect({self_.origin.id, *self_.origin.key, self_.origin.label},
                                    options_.full ? "" : row_.cursor);
    if (!welcome) return fail(welcome.failure());
    welcome_ = std::move(*welcome);
    if (!welcome_.note.empty()) result_.notes.push_back(welcome_.note);
    if (options_.dry_run) return estimate();
    expected_ = distance(store::origins(store_.db()), welcome_);
    // In before out: what was published under our name before this file was set back to an older copy must be
    // known before more is.
    if (options_.pull && welcome_.news) pull();
    for (const auto& [origin, label] : welcome_.labels) store_.suggest_label(origin, label);
    if (options_.push && !result_.failure) push();
    return result_;
  }

 private:
  Synced fail(sync::Failure failure) {
    result_.failure = std::move(failure);
    return result_;
  }

  Synced estimate() {
    Distance d = distance(store::origins(store_.db()), welcome_);
    if (options_.push) result_.pushed = d.ahead;
    if (options_.pull) result_.pulled = d.behind;
    return result_;
  }

  void refuse(const sync::Problem& problem, bool counts) {
    if (counts) ++result_.quarantined;
    std::string text = row_.name + ": " + problem.where + ": " + problem.reason;
    if (result_.refused.size() < reasons_kept) result_.refused.push_back(std::move(text));
  }

  void quarantine(const Segment& segment, const std::string& reason, store::Store::Receiver& receiver) {
    store::quarantine(receiver.begin(), {row_.name, bytes_of(segment.origin), segment.first, segment.last(),
                                         reason, session_.clock()});
    result_.quarantined += static_cast<std::int64_t>(segment.events.size()) - 1;
    refuse({fmt::format("events {} to {} of {}", segment.first, segment.last(), short_id(segment.origin)),
            reason},
           true);
  }

  void apply(const store::Verified& arrived, store::Store::Receiver& receiver) {
    if (auto* faulty = std::get_if<store::FaultySegment>(&arrived))
      return quarantine(faulty->segment, faulty->fault, receiver);
    const auto& sound = std::get<store::VerifiedSegment>(arrived);
    Taken taken = receiver.take(sound);
    result_.pulled += taken.added;
    result_.deferred += taken.deferred;
    if (taken.set_back) {
      result_.notes.push_back(
          "this database had been replaced by an older copy of itself: it goes on as a new origin");
    }
    if (taken.answer == Taken::Answer::refused || taken.answer == Taken::Answer::gap)
      quarantine(sound.segment(), taken.reason, receiver);
  }

  void apply(const Load& load, store::Store::Receiver& receiver) {
    for (const store::Verified& arrived : load.segments) apply(arrived, receiver);
    for (const sync::Problem& problem : load.problems) {
      std::string text = problem.where + ": " + problem.reason;
      if (problem.passing) {
        ++result_.waiting;
        text += store::looked_at_again;
        result_.notes.push_back(text);
      } else {
        refuse(problem, true);
      }
      store::quarantine(receiver.begin(), {row_.name, "", 0, 0, text, session_.clock()});
    }
    if (load.cursor != cursor_) store::set_cursor(receiver.begin(), row_.name, load.cursor);
    cursor_ = load.cursor;
    if (receiver.uncommitted() >= transaction_events) receiver.commit();
    if (progress_) progress_->of(result_.pulled, expected_.behind);
  }

  void pull() {
    sync::Heads have;
    std::map<OriginId, PublicKey> keys;
    for (const store::Origin& o : store::origins(store_.db())) {
      have[o.id] = {o.signed_to, ""};  // what is not signed yet must be compared
      if (o.key) keys[o.id] = *o.key;
    }
    progress_.emplace(session_, row_.name + ": pulling", "events");
    cursor_ = row_.cursor;
    store::forget_waiting(store_, row_.name);
    Channel<Load> channel(pages_waiting);
    std::exception_ptr broken;
    std::optional<sync::Failure> failure;
    std::thread fetcher([&] {
      try {
        failure = Fetcher(*remote_, std::move(have), std::move(keys)).run(channel);
      } catch (...) {
        broken = std::current_exception();
      }
      channel.close();
    });
    try {
      store::Store::Receiver receiver(store_, {row_.trust, row_.name});
      for (bool more = true; more;) {
        if (channel.empty()) receiver.commit();  // local commands do not wait for a slow remote
        auto load = channel.pop();
        if (load) apply(*load, receiver);
        more = load.has_value();
      }
      receiver.commit();
    } catch (...) {
      channel.close();
      fetcher.join();
      throw;
    }
    fetcher.join();
    if (broken) std::rethrow_exception(broken);
    progress_.reset();
    result_.failure = failure;
  }

  // Whether our own log may be published: the remote must not have another one under our name.
  bool may_publish() {
    self_ = store::prepare_self(store_);
    if (self_.set_back) {
      result_.notes.push_back(
          "this database was replaced by an older copy of itself: sync first with a remote that has what it "
          "published before");
      return false;
    }
    auto there = welcome_.heads.find(self_.origin.id);
    if (there == welcome_.heads.end()) return true;
    const sync::Head& head = there->second;
    bool further = head.seq > self_.origin.head;
    bool differs = !further && !head.hash.empty() &&
                   store::chain_at(store_.db(), self_.origin.no, head.seq) != head.hash;
    if (!further && !differs) return true;
    result_.notes.push_back("the remote has other events under this database's name: pull first");
    return false;
  }

  void push() {
    bool own = may_publish();
    progress_.emplace(session_, row_.name + ": pushing", "events");
    for (const store::Origin& o : store::origins(store_.db())) {
      if (store::is_shipped(o.id)) continue;
      bool wanted = o.self ? own : welcome_.relays && o.trust != Trust::blocked;
      if (wanted && !push_origin(o)) return;
    }
    auto safe = remote_->flush();
    if (!safe) return void(fail(safe.failure()));
    progress_.reset();
    erase();
  }

  bool push_origin(const store::Origin& o) {
    auto there = welcome_.heads.find(o.id);
    std::int64_t at = there == welcome_.heads.end() ? 0 : there->second.seq;
    for (int stale = 0; stale < stale_answers;) {
      auto segment = store::signed_segment(store_.db(), o.no, at);
      // The remote works on what it has while the next are signed.
      if (!segment && o.self && store::sign_some(store_, self_)) continue;
      if (!segment) return true;
      auto pushed = remote_->push(*segment);
      if (!pushed) return fail(pushed.failure()), false;
      bool stored = pushed->answer == sync::Pushed::Answer::stored;
      if (stored) result_.pushed += segment->last() - at;
      stale = stored ? 0 : stale + 1;
      at = stored ? segment->last() : pushed->head.seq;
      if (progress_) progress_->of(result_.pushed, expected_.ahead);
    }
    result_.notes.push_back(fmt::format(
        "the remote's copy of origin {} does not fit ours: nothing of it was pushed", short_id(o.id)));
    return true;
  }

  void erase() {
    auto rows = store::erased_since(store_.db(), row_.erased);
    if (rows.empty()) return;
    std::vector<sync::Erased> erased;
    for (const store::ErasedRow& row : rows) erased.push_back({row.origin, row.seq, row.digest});
    auto done = remote_->erase(erased);
    if (!done) return void(fail(done.failure()));
    store::note_erased(store_, row_.name, rows.back().no);
  }

  const Session& session_;
  store::Store& store_;
  const store::RemoteRow& row_;
  const SyncOptions& options_;
  std::unique_ptr<sync::Remote> remote_;
  store::Self self_;
  sync::Welcome welcome_;
  std::string cursor_;
  Synced result_;
  Distance expected_;  // what is to be exchanged
  std::optional<Progress> progress_;
};

}  // namespace

Distance distance(const std::vector<store::Origin>& ours, const sync::Welcome& welcome) {
  Distance d;
  sync::Heads left = welcome.heads;
  for (const store::Origin& o : ours) {
    if (store::is_shipped(o.id)) continue;
    std::int64_t there = left.contains(o.id) ? left[o.id].seq : 0;
    bool sent = o.self || (welcome.relays && o.trust != Trust::blocked);
    if (sent) d.ahead += std::max<std::int64_t>(0, (o.self ? o.head : o.signed_to) - there);
    d.behind += std::max<std::int64_t>(0, there - o.head);
    left.erase(o.id);
  }
  for (const auto& [origin, head] : left) d.behind += head.seq;
  return d;
}

namespace {

// A note is a write that is forced to the disk and takes longer than asking a near server: one that says
// nothing new is made once a minute.
bool worth_noting(const Synced& done, const store::RemoteRow& remote, std::int64_t now_ms) {
  bool moved = done.pushed > 0 || done.pulled > 0 || done.quarantined > 0 || done.deferred > 0;
  return moved || done.failure || !remote.last_error.empty() || remote.ok_at > now_ms ||
         now_ms - remote.ok_at > 60000;
}

}  // namespace

Synced sync_once(const Session& session, store::Store& store, const store::RemoteRow& remote,
                 const SyncOptions& options) {
  std::optional<FileLock> lock;
  try {
    lock.emplace(store.path() + ".sync-" + remote.name, 0, FileLock::File::goes);
  } catch (const Error&) {
    Synced busy;
    busy.failure = {sync::Failure::Kind::unreachable, "another sync with it is running",
                    "try again when it has finished"};
    return busy;
  }
  Synced done = Exchange(session, store, remote, options).run();
  if (!options.dry_run && worth_noting(done, remote, session.clock()))
    store::note_sync(store, remote.name, session.clock(), done.failure ? done.failure->what : "");
  return done;
}

}  // namespace explog::app
