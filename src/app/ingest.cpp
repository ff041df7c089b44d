#include "cli/ingest.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <thread>

#include "base/channel.h"
#include "base/error.h"
#include "base/text.h"
#include "model/check.h"

namespace explog::cli {
namespace {

constexpr size_t batch_records = 2000;
constexpr size_t batch_bytes = 4 << 20;
constexpr size_t messages_kept = 1000;
constexpr size_t batches_waiting = 16;  // enough to bridge a commit
constexpr std::chrono::milliseconds short_pause{200};

volatile std::sig_atomic_t stop_requested = 0;  // the one global: a signal handler can reach nothing else

// Turns SIGINT and SIGTERM into a request to stop, while it lives; a second one kills as usual.
class StopSignals {
 public:
  StopSignals() {
    stop_requested = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~StopSignals() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

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

struct Batch {
  std::vector<store::Draft> drafts;
  std::vector<std::string> rejections, warnings;
  std::int64_t rejected = 0, remarks = 0;
  size_t bytes = 0;
};

void keep(std::vector<std::string>& list, std::string message) {
  if (list.size() < messages_kept) list.push_back(std::move(message));
}

void remark(Batch& batch, const std::string& where, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) keep(batch.warnings, where + ": " + text);
  batch.remarks += static_cast<std::int64_t>(texts.size());
}

void refuse(Batch& batch, const std::string& where, const std::string& why) {
  ++batch.rejected;
  keep(batch.rejections, where + ": " + why);
}

void take(Batch& batch, Parsed parsed, const IngestOptions& options, std::int64_t line) {
  remark(batch, parsed.where, parsed.remarks);
  if (!parsed.experience) return refuse(batch, parsed.where, parsed.fault);
  Experience& e = *parsed.experience;
  if (options.complete) options.complete(e);
  if (!options.key_prefix.empty() && e.idempotency_key.empty())
    e.idempotency_key = fmt::format("{}:{}", options.key_prefix, line);
  Remarks remarks = prepare(e, options.highest_level);
  if (remarks.refused) return refuse(batch, parsed.where, *remarks.refused);
  if (options.strict && !remarks.warnings.empty())
    return refuse(batch, parsed.where, join(remarks.warnings, "; "));
  remark(batch, parsed.where, remarks.mended);
  remark(batch, parsed.where, remarks.warnings);
  store::Draft& draft = batch.drafts.emplace_back();
  draft.body = to_json(e);
  if (options.by_content) draft.id = uuid_v8(draft.body);
  draft.experience = std::move(e);
  batch.bytes += draft.body.size();
}

void read_all(const Source& source, const IngestOptions& options, Channel<Batch>& batches) {
  using clock = std::chrono::steady_clock;
  Batch batch;
  auto started = clock::now();
  std::int64_t line = 0;
  while (stop_requested == 0) {
    auto parsed = source();
    if (!parsed) break;
    take(batch, std::move(*parsed), options, ++line);
    bool full = batch.drafts.size() >= batch_records || batch.bytes >= batch_bytes ||
                batch.rejected >= static_cast<std::int64_t>(batch_records);
    bool old = line % 64 == 0 &&
               clock::now() - started > std::chrono::seconds(1);  // a slow pipe is stored as it comes
    if (full || old) {
      started = clock::now();
      if (!batches.push(std::exchange(batch, {}))) return;
    }
  }
  batches.push(std::move(batch));
}

// The writing side: batches go into one transaction until it is large or old enough to be committed.
class Writer {
 public:
  Writer(Context& context, const IngestOptions& options, bool want_ids, Ingested& result)
      : context_(context), options_(options), want_ids_(want_ids), result_(result) {}

  void write(Batch batch) {
    result_.rejected += batch.rejected;
    result_.remarks += batch.remarks;
    for (std::string& text : batch.rejections) keep(result_.rejections, std::move(text));
    for (std::string& text : batch.warnings) keep(result_.warnings, std::move(text));
    if (options_.dry_run) result_.added += static_cast<std::int64_t>(batch.drafts.size());
    if (options_.dry_run || batch.drafts.empty()) return;
    if (!store_) store_.emplace(context_.database(), context_.clock);
    if (!bulk_) {
      bulk_.emplace(*store_);
      started_ = std::chrono::steady_clock::now();
    }
    for (store::Appended& one : bulk_->add(std::move(batch.drafts))) {
      ++(one.created ? pending_added_ : pending_skipped_);
      if (want_ids_) pending_ids_.push_back(one.id);
    }
    bool large = pending_added_ + pending_skipped_ >= transaction_records;
    bool old = std::chrono::steady_clock::now() - started_ > std::chrono::seconds(1);
    if (large || old) commit();
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
  static constexpr std::int64_t transaction_records = 100000;
  Context& context_;
  const IngestOptions& options_;
  bool want_ids_;
  Ingested& result_;
  std::optional<store::Store> store_;
  std::optional<store::Store::Bulk> bulk_;
  std::chrono::steady_clock::time_point started_;
  std::int64_t pending_added_ = 0, pending_skipped_ = 0;
  std::vector<Uuid> pending_ids_;
};

}  // namespace

void report(const Context& context, const Ingested& result, bool verbose) {
  constexpr std::int64_t shown = 20;
  std::int64_t n = 0;
  for (const std::string& text : result.warnings) {
    if (verbose || n < shown) ++n, context.warn(text);
  }
  if (result.remarks > n)
    context.warn(
        fmt::format("and {} more remarks{}", result.remarks - n, verbose ? "" : " (--verbose shows more)"));
  for (const std::string& text : result.rejections)
    context.err << "explog: refused: " << printable(text) << '\n';
  auto unseen = result.rejected - static_cast<std::int64_t>(result.rejections.size());
  if (unseen > 0) context.err << fmt::format("explog: and {} more refused\n", unseen);
}

Ingested ingest(Context& context, const Source& source, const IngestOptions& options, bool want_ids) {
  StopSignals signals;
  Channel<Batch> batches(batches_waiting);
  std::exception_ptr reading_failed;
  // The signals go to the reading thread: it may be waiting for input, and must wake.
  std::thread reader([&] {
    try {
      read_all(source, options, batches);
    } catch (...) {
      reading_failed = std::current_exception();
    }
    batches.close();
  });
  Blocked here;
  Ingested result;
  Writer writer(context, options, want_ids, result);
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
    if (stop_requested == 0) pthread_kill(reader.native_handle(), SIGINT);  // it may be waiting for input
    reader.join();
    throw;
  }
  reader.join();
  if (reading_failed) std::rethrow_exception(reading_failed);
  result.interrupted = stop_requested != 0;
  return result;
}

}  // namespace explog::cli
