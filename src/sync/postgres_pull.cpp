#include "sync/postgres_pull.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

namespace explog::sync {
namespace {

constexpr size_t page_bytes = size_t{2} << 20;  // small: while one page is applied the next is fetched
constexpr size_t header_rows = 256;
constexpr int known_format = 1;
constexpr size_t row_overhead = 128;  // id, numbers and digest of an event

constexpr auto headers_statement = R"(
SELECT b.pos, b.origin, b.first_seq, b.last_seq, b.n_bytes, b.prev_hash, b.head_hash, b.sig, b.format,
       (SELECT o.pubkey FROM explog.origin o WHERE o.stream = b.stream AND o.origin = b.origin)
  FROM explog.batch b
 WHERE b.stream = $1 AND b.pos > $2
 ORDER BY b.pos LIMIT 256)";

// OFFSET 0 keeps the planner at one index range a segment; joined freely it would read the whole table.
constexpr auto events_statement = R"(
SELECT b.slot, e.seq, e.id, e.kind, e.version, e.at, e.body, e.redacted
  FROM unnest($2, $3, $4) WITH ORDINALITY AS b(origin, first_seq, last_seq, slot)
 CROSS JOIN LATERAL (SELECT * FROM explog.event e
                      WHERE e.stream = $1 AND e.origin = b.origin AND e.seq BETWEEN b.first_seq AND b.last_seq
                      ORDER BY e.seq OFFSET 0) e)";

Error unasked(const std::string& server) {
  return {Exit::remote, server + ": the server sent events that explog did not ask for",
          "it is not an explog remote, or its tables were changed by hand"};
}

LogEvent read_event(const RowView& row) {
  LogEvent event;
  event.id = Uuid{row.uuid(2)};
  event.kind = row.small(3);
  event.version = row.small(4);
  event.at_ms = row.integer(5);
  event.body = row.bytes(6);
  if (!row.is_null(7)) event.redacted = array_of<32>(row.bytes(7));
  return event;
}

}  // namespace

std::string PullCursor::text() const { return fmt::format("{} {} {}", hex(epoch), position, hex(head)); }

std::optional<PullCursor> parse_pull_cursor(const std::string& text) {
  auto parts = split(text, ' ');
  if (parts.size() != 3) return std::nullopt;
  auto epoch = from_hex(parts[0]), head = from_hex(parts[2]);
  auto position = parse_number(parts[1]);
  if (!epoch || !head || !position || *position < 0 || *position > 9e15) return std::nullopt;
  auto bytes = array_of<16>(*epoch);
  if (!bytes) return std::nullopt;
  return PullCursor{*bytes, static_cast<std::int64_t>(*position), *head};
}

PostgresPull::Header PostgresPull::read_header(const RowView& row) const {
  Header header;
  header.position = row.integer(0);
  header.segment.origin = row.uuid(1);
  header.segment.first = row.integer(2);
  header.last = row.integer(3);
  header.bytes = row.integer(4);
  header.segment.prev = row.bytes(5);
  auto head = array_of<32>(row.bytes(6));
  header.segment.signature = array_of<64>(row.bytes(7));
  auto key = row.is_null(9) ? std::nullopt : array_of<32>(row.bytes(9));
  std::int64_t first = header.segment.first, most = static_cast<std::int64_t>(max_segment_events);
  if (row.int4(8) != known_format) {
    header.fault = "it is in a format of a newer explog";
  } else if (first < 1 || header.last < first || header.last > max_sequence || header.last - first >= most ||
             header.bytes < 0 ||
             header.bytes > static_cast<std::int64_t>(max_segment_bytes + max_body_bytes)) {
    header.fault = "its numbers are impossible";
  } else if (!head || !header.segment.signature || !key) {
    header.fault = "its hash, signature or key has a wrong length";
  } else {
    header.segment.head = *head;
    header.segment.key = *key;
  }
  return header;
}

ServerFailure PostgresPull::read_headers() {
  Values values;
  values.text(connection_.target().stream).integer(at_.position);
  headers_.clear();
  std::int64_t next = at_.position + 1;
  return connection_.ask(headers_statement, values, [&](const RowView& row) {
    headers_.push_back(read_header(row));
    if (headers_.size() > header_rows) throw unasked(connection_.target().shown);
    if (headers_.back().position != next++)
      throw Error(Exit::remote,
                  fmt::format("{}: the server's batches have a hole before position {}",
                              connection_.target().shown, headers_.back().position),
                  "rows were taken out of its tables: restore them, or make another stream that all push to");
  });
}

// The first headers that make a page: `taken` of them, and which of those have events that are new to us.
std::vector<PostgresPull::Header*> PostgresPull::choose(const Heads& have, size_t& taken) {
  std::vector<Header*> chosen;
  size_t bytes = 0;
  for (taken = 0; taken < headers_.size(); ++taken) {
    Header& header = headers_[taken];
    auto known = have.find(header.segment.origin);
    if (!header.fault.empty() || (known != have.end() && header.last <= known->second.seq)) continue;
    bytes += static_cast<size_t>(header.bytes);
    if (bytes > page_bytes && !chosen.empty()) break;
    chosen.push_back(&header);
  }
  return chosen;
}

void PostgresPull::accept(const RowView& row, const std::vector<Header*>& chosen) const {
  std::int64_t slot = row.integer(0), seq = row.integer(1);
  if (slot < 1 || slot > static_cast<std::int64_t>(chosen.size())) throw unasked(connection_.target().shown);
  Header& header = *chosen[static_cast<size_t>(slot - 1)];
  std::int64_t expected = header.segment.last() + 1;
  if (seq < expected || seq > header.last) throw unasked(connection_.target().shown);
  header.received += static_cast<std::int64_t>(row.bytes(6).size());
  if (header.received > header.bytes) header.fault = "it is larger than it says";
  // Behind a hole nothing is of use.
  if (seq == expected && header.fault.empty()) header.segment.events.push_back(read_event(row));
}

ServerFailure PostgresPull::read_events(const std::vector<Header*>& chosen) {
  ArrayWriter origins(Type::uuid, chosen.size()), firsts(Type::int8, chosen.size()),
      lasts(Type::int8, chosen.size());
  size_t budget = 0;
  for (Header* header : chosen) {
    origins.add(header->segment.origin);
    firsts.add_integer(header->segment.first);
    lasts.add_integer(header->last);
    size_t count = static_cast<size_t>(header->last - header->segment.first + 1);
    budget += max_segment_bytes + max_body_bytes + count * row_overhead;
    header->received = 0;
    header->segment.events.clear();
    header->segment.events.reserve(count);
  }
  Values values;
  values.text(connection_.target().stream).array(Type::uuid, origins.take());
  values.array(Type::int8, firsts.take()).array(Type::int8, lasts.take());
  return connection_.ask(
      events_statement, values, [&](const RowView& row) { accept(row, chosen); }, budget);
}

Page PostgresPull::page_of(const std::vector<Header*>& chosen, size_t taken) {
  Page page;
  auto report = [&](const Header& header, const std::string& why) {
    page.problems.push_back({fmt::format("batch {}", header.position), why});
  };
  if (taken > 0) {
    const Header& last = headers_[taken - 1];
    at_.position = last.position;
    at_.head = last.fault.empty() ? bytes_of(last.segment.head) : "";
  }
  for (size_t i = 0; i < taken; ++i) {
    if (!headers_[i].fault.empty()) report(headers_[i], headers_[i].fault);
  }
  for (Header* header : chosen) {
    if (!header->fault.empty()) continue;
    if (header->segment.events.empty() || header->segment.last() != header->last)
      report(*header, "events of it are missing at the server");
    else
      page.segments.push_back(std::move(header->segment));
  }
  headers_.erase(headers_.begin(), headers_.begin() + static_cast<std::ptrdiff_t>(taken));
  page.cursor = at_.text();
  page.end = headers_.empty() && at_.position >= last_;
  return page;
}

Outcome<Page> PostgresPull::pull(const Heads& have) {
  ServerFailure failure;
  // Up to where the greeting said: what is new since then comes with the next sync, and one that finds
  // nothing new needs no more round trip.
  if (headers_.empty() && at_.position < last_)
    failure = retrying(connection_, [&] { return read_headers(); });
  if (failure.failed()) return as_failure(failure, connection_.target().shown);
  if (headers_.empty()) last_ = at_.position;
  size_t taken = 0;
  std::vector<Header*> chosen = choose(have, taken);
  if (!chosen.empty()) failure = retrying(connection_, [&] { return read_events(chosen); });
  if (failure.failed()) return as_failure(failure, connection_.target().shown);
  return page_of(chosen, taken);
}

}  // namespace explog::sync
