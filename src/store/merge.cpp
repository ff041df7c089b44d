// Store::merge: the log of another database file, as segments.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "store/chain.h"
#include "store/health.h"
#include "store/open.h"
#include "store/receiver.h"
#include "store/shipped.h"
#include "store/verified_segment.h"

namespace explog::store {
namespace {

constexpr int patience_ms = 600000;  // of one statement over a stranger's file
constexpr std::int64_t transaction_events = 20000;

// Of views and virtual tables in place of real ones nothing is read.
bool has_tables(sql::Db& db, const std::string& two) {
  return db.integer("SELECT count(*) FROM sqlite_master WHERE type='table' AND rootpage>0 AND name IN (" +
                    two + ")") == 2;
}

// Opens a stranger's file: read-only, checked for damage, and only its log is read.
sql::Db open_foreign(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(Exit::usage, printable(path) + ": there is no such file");
  if (std::string head = read_head(path, 16); !head.empty() && !head.starts_with("SQLite format 3")) {
    throw Error(Exit::usage, printable(path) + " is no database",
                "`explog import FILE` reads records from files of other tools, and those of `explog export`");
  }
  sql::Db db(path, sql::Mode::read_only);
  sql::Deadline deadline(db, patience_ms);
  db.exec("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0");
  if (db.integer("PRAGMA application_id") != application_id || !has_tables(db, "'event', 'origin'")) {
    throw Error(Exit::usage, printable(path) + " is not an explog database");
  }
  if (std::string fault = file_fault(db); !fault.empty())
    throw Error(Exit::usage, printable(path) + " is damaged: " + printable(fault));
  return db;
}

// One origin's log in a stranger's file, a segment at a time.
class ForeignLog {
 public:
  ForeignLog(sql::Db& db, std::int64_t no, const OriginId& origin, bool with_chain)
      : db_(db),
        no_(no),
        origin_(origin),
        with_chain_(with_chain),
        read_(db, std::string("SELECT e.rid, e.id, e.kind, e.version, e.at, e.body, ") +
                      (with_chain ? "(SELECT digest FROM erased x WHERE x.rid=e.rid)" : "NULL") +
                      " FROM event e WHERE e.rid>?1 AND e.rid<?2 ORDER BY e.rid") {
    read_.bind(1, first_rid_of(no)).bind(2, first_rid_of(no + 1));
    more_ = read_.step();
  }

  // Nothing at the end, or where something cannot be used: fault() says what.
  std::optional<Segment> next() {
    Segment segment;
    segment.origin = origin_;
    segment.first = at_ + 1;
    segment.prev = chain_;
    std::int64_t end = with_chain_ ? load_signature(segment) : 0;
    size_t bytes = 0;
    while (more_ && fault_.empty() && segment.events.size() < max_segment_events &&
           (end > 0 ? at_ < end : bytes < max_segment_bytes)) {
      if (!take(segment)) break;
      bytes += segment.events.back().body.size();
    }
    if (segment.events.empty()) return std::nullopt;
    if (segment.last() != end) segment.signature.reset();
    if (auto head = array_of<32>(chain_); head && !segment.signature) segment.head = *head;
    return segment;
  }
  const std::string& fault() const { return fault_; }

 private:
  bool refuse(const std::string& why) {
    fault_ = why;
    return false;
  }

  bool take(Segment& segment) {
    std::int64_t seq = sequence_of(read_.integer(0));
    if (seq != at_ + 1) return refuse(fmt::format("event {} is missing before {}", at_ + 1, seq));
    LogEvent e;
    std::string_view id = read_.blob(1);
    std::string_view body = read_.text(5);
    bool sound = id.size() == 16 && read_.integer(2) > 0 && read_.integer(2) <= 0x7FFF &&
                 read_.integer(3) > 0 && read_.integer(3) <= 0x7FFF && body.size() <= LineReader::max_line &&
                 valid_utf8(body) && body.find('\n') == std::string_view::npos &&
                 body.find('\0') == std::string_view::npos;
    if (!sound) return refuse(fmt::format("event {} is malformed", seq));
    std::copy_n(id.begin(), 16, e.id.bytes.begin());
    e.kind = static_cast<int>(read_.integer(2));
    e.version = static_cast<int>(read_.integer(3));
    e.at_ms = read_.integer(4);
    e.body = body;
    if (!read_.is_null(6) && body.empty()) e.redacted = array_of<32>(read_.blob(6));
    segment.events.push_back(std::move(e));
    at_ = seq;
    chain_ = bytes_of(chain_step(origin_, seq, chain_, segment.events.back()));
    more_ = read_.step();
    return true;
  }

  // Where the signed segment that begins here ends, 0 when none does.
  std::int64_t load_signature(Segment& segment) {
    sql::Stmt find(
        db_,
        "SELECT c.seq, c.hash, c.signature, o.public_key FROM chain c JOIN origin o ON o.no=c.origin "
        "WHERE c.origin=?1 AND c.first=?2 AND c.seq>=?2 AND c.signature IS NOT NULL AND o.public_key "
        "IS NOT NULL ORDER BY c.seq LIMIT 1");
    find.bind(1, no_).bind(2, segment.first);
    if (!find.step()) return 0;
    auto head = array_of<32>(find.blob(1));
    auto key = array_of<32>(find.blob(3));
    segment.signature = array_of<64>(find.blob(2));
    if (!head || !key || !segment.signature) return 0;
    segment.head = *head;
    segment.key = *key;
    return find.integer(0);
  }

  sql::Db& db_;
  std::int64_t no_;
  OriginId origin_;
  bool with_chain_;
  sql::Stmt read_;
  bool more_ = false;
  std::int64_t at_ = 0;
  std::string chain_, fault_;
};

void merge_origin(ForeignLog& log, Store::Receiver& receiver, Store::Merged& merged,
                  const std::function<void()>& taken_some) {
  while (auto segment = log.next()) {
    Verified verified = verify_from_file(std::move(*segment));
    if (auto* faulty = std::get_if<FaultySegment>(&verified)) return merged.refused.push_back(faulty->fault);
    Taken taken = receiver.take(std::get<VerifiedSegment>(verified));
    merged.added += taken.added;
    merged.skipped += taken.skipped;
    bool refused = taken.answer == Taken::Answer::refused || taken.answer == Taken::Answer::gap;
    if (refused) return merged.refused.push_back(taken.reason);
    if (receiver.uncommitted() >= transaction_events) receiver.commit();
    taken_some();
  }
  if (!log.fault().empty()) merged.refused.push_back(log.fault());
}

// Whether an origin's records say that they were measured, and nobody answers for that.
bool only_says_measured(sql::Db& db, const OriginId& origin) {
  sql::Stmt find(db,
                 "SELECT 1 FROM origin o WHERE o.origin=?1 AND NOT " + vouched +
                     " AND EXISTS (SELECT 1 FROM attempt WHERE rid > o.no << 40 AND rid < (o.no + 1) << 40 "
                     "AND level IN ('measured', 'replicated'))");
  std::string id = bytes_of(origin);
  find.bind_blob(1, id);
  return find.step();
}

}  // namespace

Store::Merged Store::merge(const std::string& other_path, Trust trust, const Reached& reached) {
  sql::Db other = open_foreign(other_path);
  bool with_chain = has_tables(other, "'chain', 'erased'");  // whether it knows signed segments
  sql::restrict_to_reading(other);
  sql::Deadline deadline(other, patience_ms);
  Merged merged;
  std::map<std::int64_t, OriginId> origins;  // by their number
  sql::Stmt list(other, "SELECT no, origin FROM origin ORDER BY no");
  while (list.step()) {
    auto id = array_of<16>(list.blob(1));
    std::int64_t no = list.integer(0);
    if (id && !is_shipped(*id) && no > 0 && no < (std::int64_t{1} << 22)) origins[no] = *id;
  }
  std::int64_t all = 0;
  for (const auto& [no, origin] : origins) all += log_head(other, no) - first_rid_of(no);
  Receiver receiver(*this, {trust, other_path});
  for (const auto& [no, origin] : origins) {
    ForeignLog log(other, no, origin, with_chain);
    std::int64_t before = merged.added;
    merge_origin(log, receiver, merged, [&] {
      if (reached) reached(merged.added + merged.skipped, all);
    });
    if (merged.added > before && only_says_measured(db_, origin)) merged.unvouched.push_back(origin);
  }
  receiver.commit();
  return merged;
}

}  // namespace explog::store
