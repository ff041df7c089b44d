#include "app/records/ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "app/records/read_strategy.h"
#include "app/session/progress.h"
#include "app/session/shipped.h"
#include "app/session/stop_signals.h"
#include "base/channel.h"
#include "base/date.h"
#include "base/error.h"
#include "base/text.h"
#include "model/claim.h"
#include "store/known_ids.h"
#include "store/origins.h"

namespace explog::app {
namespace {

constexpr size_t batch_records = 2000;
constexpr size_t batch_bytes = 4 << 20;
constexpr size_t messages_kept = 1000;
constexpr size_t batches_waiting = 16;  // enough to bridge a commit
constexpr std::chrono::milliseconds short_pause{200};

// Keeps both signals away from the calling thread while it lives.
class Blocked {
 public:
  Blocked() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~Blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

 private:
  sigset_t before_{};
};

// Of a record that is here already nobody needs to hear them.
struct Remark {
  std::string text;
  std::optional<size_t> draft;  // the place of the record that it is about; none: it was refused
};

struct Batch {
  std::vector<store::Draft> drafts;
  std::vector<std::string> rejections;
  std::vector<Remark> remarks;
  std::int64_t rejected = 0;
  size_t bytes = 0;          // of what is to be stored
  size_t read_bytes = 0;     // of the input
  bool has_own_ids = false;  // whether a line says the id that a record got from explog
};

void keep(std::vector<std::string>& list, std::string message) {
  if (list.size() < messages_kept) list.push_back(std::move(message));
}

// About the record that gets the next place.
void remark(Batch& batch, const std::string& where, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) batch.remarks.push_back({where + ": " + text, batch.drafts.size()});
}

void refuse(Batch& batch, const std::string& where, const std::string& why) {
  for (auto it = batch.remarks.rbegin(); it != batch.remarks.rend() && it->draft == batch.drafts.size(); ++it)
    it->draft.reset();
  ++batch.rejected;
  keep(batch.rejections, where.empty() ? why : where + ": " + why);
}

// When the input says it was; 0: it does not say, or cannot be right, and the event's time is now.
std::int64_t claimed_time(const Experience& e, std::int64_t now_ms, std::vector<std::string>& remarks) {
  constexpr std::int64_t day_ms = 86400000;  // clocks and time zones differ
  if (e.at.empty()) return 0;
  auto at = date_ms(e.at);
  std::string shown = "'" + ellipsis(printable(e.at), 40) + "'";
  if (!at) remarks.push_back("at " + shown + " is no date: taken as of now");
  if (at && *at > now_ms + day_ms) remarks.push_back("at " + shown + " is in the future: taken as of now");
  return at && *at <= now_ms + day_ms ? *at : 0;
}

// The id that a record had where it was exported; other programs' ids are of other kinds.
std::optional<Uuid> own_id(const Experience& e) {
  if (e.id.empty()) return std::nullopt;
  auto id = parse_uuid(e.id);
  return id && (id->version() == 7 || id->version() == 8) ? id : std::nullopt;
}

// The id of its content where it was measured: a record that was lowered elsewhere may come back there.
Uuid measured_id(Experience& e) {
  std::string level = std::exchange(e.level, "measured");
  Uuid id = uuid_v8(to_json(e));
  e.level = std::move(level);
  return id;
}

// What a record is read with.
struct Reading {
  const IngestOptions& options;
  std::int64_t now_ms;
  StrategyWords words;
};

void take(Batch& batch, Parsed& parsed, Reading& reading, std::int64_t line) {
  const IngestOptions& options = reading.options;
  remark(batch, parsed.where, parsed.remarks);
  if (!parsed.experience) return refuse(batch, parsed.where, parsed.fault);
  Experience& e = *parsed.experience;
  if (options.complete) options.complete(e);
  if (e.backend.empty()) e.backend = parsed.usual_backend;
  if (!options.key_prefix.empty() && e.idempotency_key.empty())
    e.idempotency_key = fmt::format("{}:{}", options.key_prefix, line);
  if (std::string taken = reading.words.put_id(e); !taken.empty()) remark(batch, parsed.where, {taken});
  Remarks remarks = prepare(e, options.highest_level);
  if (remarks.refused) return refuse(batch, parsed.where, *remarks.refused);
  std::int64_t at_ms = claimed_time(e, reading.now_ms, remarks.mended);
  if (options.strict && !remarks.warnings.empty())
    return refuse(batch, parsed.where, join(remarks.warnings, "; "));
  remark(batch, parsed.where, remarks.mended);
  remark(batch, parsed.where, remarks.warnings);
  store::Draft& draft = batch.drafts.emplace_back();  // in its place: an experience is large
  draft.body = to_json(e);
  draft.at_ms = at_ms;
  auto own = own_id(e);
  batch.has_own_ids |= own.has_value();
  if (own && own->version() == 7)
    draft.id = own;
  else if (own || options.by_content)  // of its content as it is here: a level may have been lowered
    draft.id = uuid_v8(draft.body);
  if (own && own->version() == 8) draft.also_known_as = {*own, measured_id(e)};
  draft.experience = std::move(e);
  batch.bytes += draft.body.size();
}

void read_all(const Source& source, Reading& reading, Channel<Batch>& batches) {
  using clock = std::chrono::steady_clock;
  constexpr auto patience = std::chrono::milliseconds(500);
  Batch batch;
  auto started = clock::now();
  std::int64_t line = 0;
  while (stop_signal() == 0) {
    auto parsed = source();
    if (!parsed) break;
    batch.read_bytes += parsed->bytes;
    take(batch, *parsed, reading, ++line);
    bool full = batch.drafts.size() >= batch_records || batch.bytes >= batch_bytes ||
                batch.rejected >= static_cast<std::int64_t>(batch_records);
    bool old = line % 64 == 0 && clock::now() - started > patience;  // a slow pipe is stored as it comes
    if (full || old) {
      started = clock::now();
      if (!batches.push(std::exchange(batch, {}))) return;
      if (full) batch.drafts.reserve(batch_records);
    }
  }
  batches.push(std::move(batch));
}

// The writing side: batches go into one transaction until it is large or old enough to be committed.
class Writer {
 public:
  Writer(const Session& session, const IngestOptions& options, bool want_ids, Ingested& result)
      : session_(session),
        options_(options),
        want_ids_(want_ids),
        result_(result),
        progress_(session, options.what, "records") {
    if (options.dry_run) open_as_it_is();
  }

  void write(Batch batch) {
    tell(batch);
    result_.rejected += batch.rejected;
    for (std::string& text : batch.rejections) keep(result_.rejections, std::move(text));
    if (batch.has_own_ids) have_shipped();
    const std::vector<bool> is_new = options_.dry_run ? compare(batch.drafts) : put(std::move(batch.drafts));
    for (Remark& remark : batch.remarks) {
      if (remark.draft && !is_new[*remark.draft]) continue;
      ++result_.remarks;
      keep(result_.warnings, std::move(remark.text));
    }
  }

  bool pending() const { return bulk_.has_value(); }

  // What was pending is on disk and counts from here.
  void commit() {
    if (!bulk_) return;
    bulk_->commit();
    bulk_.reset();
    result_.added += std::exchange(pending_added_, 0);
    result_.skipped += std::exchange(pending_skipped_, 0);
    for (const Uuid& id : pending_ids_) result_.ids.push_back(id.text());
    pending_ids_.clear();
  }

 private:
  // For a trial run: a file that is not there is not made, and nothing is put into one that is.
  void open_as_it_is() {
    const std::string path = session_.database();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      return session_.warn(printable(path) + " does not exist yet: without --dry-run it would be made");
    Session as_it_is = session_;
    as_it_is.shipped = false;
    reader_.emplace(as_it_is.reader());
    known_.emplace(*reader_);
    if (auto own = store::own(*reader_)) known_keys_.emplace(*reader_, own->no);
  }

  // Records that ship are told by their ids, which have to be here first.
  void have_shipped() {
    if (!session_.shipped || std::exchange(looked_for_shipped_, true)) return;
    if (options_.dry_run) {
      if (!reader_ || lacks_shipped(*reader_)) would_be_known_.merge(shipped_ids());
      return;
    }
    commit();
    store_.reset();
    session_.reader();
  }

  // Which of `drafts` are new.
  std::vector<bool> put(std::vector<store::Draft> drafts) {
    std::vector<bool> is_new;
    if (drafts.empty()) return is_new;
    if (!store_) store_.emplace(session_.database(), session_.clock);
    if (!bulk_) {
      bulk_.emplace(*store_);
      started_ = std::chrono::steady_clock::now();
    }
    for (store::Appended& one : bulk_->add(std::move(drafts))) {
      ++(one.created ? pending_added_ : pending_skipped_);
      is_new.push_back(one.created);
      if (want_ids_) pending_ids_.push_back(one.id);
    }
    bool large = pending_added_ + pending_skipped_ >= transaction_records;
    bool old = std::chrono::steady_clock::now() - started_ > std::chrono::seconds(1);
    if (large || old) commit();
    return is_new;
  }

  // The same where nothing is to be stored.
  std::vector<bool> compare(const std::vector<store::Draft>& drafts) {
    std::vector<bool> is_new;
    for (const store::Draft& draft : drafts) {
      const std::string& key = draft.experience.idempotency_key;
      bool known = (known_keys_ && known_keys_->of(key)) || (known_ && known_->of(draft));
      is_new.push_back(!known && !would_be_known(draft));
      if (is_new.back() && draft.id) would_be_known_.insert(*draft.id);
      if (is_new.back() && !key.empty()) would_be_keys_.insert(key);
      ++(is_new.back() ? result_.added : result_.skipped);
    }
    return is_new;
  }

  bool would_be_known(const store::Draft& draft) const {
    auto has = [&](const Uuid& id) { return would_be_known_.contains(id); };
    return would_be_keys_.contains(draft.experience.idempotency_key) || (draft.id && has(*draft.id)) ||
           std::any_of(draft.also_known_as.begin(), draft.also_known_as.end(), has);
  }

  void tell(const Batch& batch) {
    seen_ += static_cast<std::int64_t>(batch.drafts.size()) + batch.rejected;
    read_bytes_ += batch.read_bytes;
    double all = static_cast<double>(options_.input_bytes);
    progress_.at(seen_, all > 0 ? static_cast<double>(read_bytes_) / all : 0);
  }

  static constexpr std::int64_t transaction_records = 100000;
  const Session& session_;
  const IngestOptions& options_;
  bool want_ids_;
  Ingested& result_;
  std::optional<sql::Db> reader_;  // of a trial run, where there is a database
  std::optional<store::KnownIds> known_;
  std::optional<store::KnownKeys> known_keys_;
  std::set<Uuid> would_be_known_;  // of a trial run: what it would have stored by now
  std::set<std::string> would_be_keys_;
  bool looked_for_shipped_ = false;
  std::optional<store::Store> store_;
  std::optional<store::Store::Bulk> bulk_;
  std::chrono::steady_clock::time_point started_;
  std::int64_t pending_added_ = 0, pending_skipped_ = 0;
  std::vector<Uuid> pending_ids_;
  Progress progress_;
  std::int64_t seen_ = 0;
  std::uint64_t read_bytes_ = 0;
};

}  // namespace

Ingested ingest(const Session& session, const Playbook& playbook, const Source& source,
                const IngestOptions& options, bool want_ids) {
  StopSignals signals;
  Channel<Batch> batches(batches_waiting);
  Reading reading{options, session.clock(), StrategyWords(playbook)};
  std::exception_ptr reading_failed;
  // The signals go to the reading thread: it may be waiting for input, and must wake.
  std::thread reader([&] {
    try {
      read_all(source, reading, batches);
    } catch (...) {
      reading_failed = std::current_exception();
    }
    batches.close();
  });
  Blocked here;
  Ingested result;
  Writer writer(session, options, want_ids, result);
  try {
    while (!batches.at_end()) {
      if (auto batch = writer.pending() ? batches.pop(short_pause) : batches.pop()) {
        writer.write(std::move(*batch));
      } else {
        writer.commit();  // the input pauses: meanwhile others may write
      }
    }
    writer.commit();
  } catch (...) {
    batches.close();
    if (stop_signal() == 0) pthread_kill(reader.native_handle(), SIGINT);  // it may be waiting for input
    reader.join();
    throw;
  }
  reader.join();
  if (reading_failed) std::rethrow_exception(reading_failed);
  result.interrupted = stop_signal() != 0;
  return result;
}

}  // namespace explog::app
