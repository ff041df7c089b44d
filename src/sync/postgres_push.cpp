#include "sync/postgres_push.h"

#include <algorithm>

#include "sync/segment_file.h"

namespace explog::sync {
namespace {

constexpr size_t group_segments = 8, group_bytes = size_t{4} << 20;  // of what shares one commit

// One statement is one transaction. Its parts depend on each other, which orders them: the origin's row, when
// its head is where the segments begin; the events; then the stream's counter, the one lock that all share.
constexpr auto push_plain = R"(
WITH o AS (
  UPDATE explog.origin SET head_seq = $6[cardinality($6)], head_hash = $9[cardinality($9)]
   WHERE stream = $1 AND origin = $2 AND pubkey = $3 AND head_seq = $5[1] - 1 AND head_hash = $8[1]
  RETURNING origin),
e AS (
  INSERT INTO explog.event(stream, origin, seq, id, kind, version, at, body, redacted)
  SELECT $1, $2, generate_series($5[1], $6[cardinality($6)]), unnest($11), unnest($12), unnest($13), unnest($14),
         unnest($15), unnest($16)
    FROM o
  RETURNING seq),
s AS (
  UPDATE explog.stream SET head_pos = head_pos + cardinality($5)
   WHERE stream = $1 AND (SELECT count(*) FROM e) > 0
  RETURNING head_pos),
b AS (
  INSERT INTO explog.batch(stream, pos, origin, format, first_seq, last_seq, n_bytes, prev_hash, head_hash, sig)
  SELECT $1, generate_series(s.head_pos - cardinality($5) + 1, s.head_pos), $2, $4, unnest($5), unnest($6), unnest($7),
         unnest($8), unnest($9), unnest($10)
    FROM s
  RETURNING pos)
SELECT count(*) FROM b)";

constexpr auto push_hardened =
    "SELECT stored FROM explog.push($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

constexpr auto enrol_plain =
    "INSERT INTO explog.origin(stream, origin, pubkey, label) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
constexpr auto enrol_hardened = "SELECT explog.register_origin($1, $2, $3, $4)";

constexpr auto look_statement =
    "SELECT head_seq, head_hash, pubkey FROM explog.origin WHERE stream = $1 AND origin = $2";

constexpr auto erase_plain = R"(
UPDATE explog.event e SET body = ''::bytea, redacted = u.digest
  FROM unnest($2, $3, $4) AS u(origin, seq, digest)
 WHERE e.stream = $1 AND e.origin = u.origin AND e.seq = u.seq AND e.redacted IS NULL)";
constexpr auto erase_hardened = "SELECT explog.redact($1, $2, $3, $4)";

// Adds an array with one element a thing; `each` calls its argument for every thing, `write` puts one down.
template <typename Each, typename Write>
void put(Values& values, Type type, size_t count, Each each, Write write) {
  ArrayWriter out(type, count);
  each([&](const auto& thing) { write(out, thing); });
  values.array(type, out.take());
}

size_t bytes_in(const Segment& segment) {
  size_t bytes = 0;
  for (const LogEvent& event : segment.events) bytes += event.body.size();
  return bytes;
}

// $5 to $10
void put_segments(Values& values, const std::vector<Segment>& segments) {
  using W = ArrayWriter;
  auto each = [&](auto use) {
    for (const Segment& segment : segments) use(segment);
  };
  auto add = [&](Type type, auto write) { put(values, type, segments.size(), each, write); };
  add(Type::int8, [](W& out, const Segment& s) { out.add_integer(s.first); });
  add(Type::int8, [](W& out, const Segment& s) { out.add_integer(s.last()); });
  add(Type::int8, [](W& out, const Segment& s) { out.add_integer(static_cast<std::int64_t>(bytes_in(s))); });
  add(Type::bytes, [](W& out, const Segment& s) { out.add(s.prev); });
  add(Type::bytes, [](W& out, const Segment& s) { out.add(bytes_of(s.head)); });
  add(Type::bytes, [](W& out, const Segment& s) { out.add(bytes_of(*s.signature)); });
}

// $11 to $16
void put_events(Values& values, const std::vector<Segment>& segments) {
  using W = ArrayWriter;
  size_t count = 0;
  for (const Segment& segment : segments) count += segment.events.size();
  auto each = [&](auto use) {
    for (const Segment& segment : segments) {
      for (const LogEvent& event : segment.events) use(event);
    }
  };
  auto add = [&](Type type, auto write) { put(values, type, count, each, write); };
  add(Type::uuid, [](W& out, const LogEvent& event) { out.add(event.id.bytes); });
  add(Type::int2, [](W& out, const LogEvent& event) { out.add_small(event.kind); });
  add(Type::int2, [](W& out, const LogEvent& event) { out.add_small(event.version); });
  add(Type::int8, [](W& out, const LogEvent& event) { out.add_integer(event.at_ms); });
  add(Type::bytes, [](W& out, const LogEvent& event) { out.add(event.body); });
  add(Type::bytes, [](W& out, const LogEvent& event) {
    if (event.redacted)
      out.add(bytes_of(*event.redacted));
    else
      out.add_null();
  });
}

Head end_of(const Segment& segment) { return {segment.last(), bytes_of(segment.head)}; }

}  // namespace

ServerFailure PostgresPush::look(const OriginId& origin, Known& known) {
  Values values;
  values.text(connection_.target().stream).uuid(origin);
  known = {};
  return connection_.ask(look_statement, values, [&](const RowView& row) {
    known.registered = true;
    known.head = {row.integer(0), std::string(row.bytes(1))};
    known.key = row.bytes(2);
  });
}

ServerFailure PostgresPush::enrol(const Segment& segment) {
  Values values;
  std::string key = bytes_of(segment.key);
  std::string label = segment.origin == self_.origin ? self_.label.substr(0, 200) : "";
  values.text(connection_.target().stream).uuid(segment.origin).bytes(key).text(label);
  return connection_.ask(tier_ == Tier::plain ? enrol_plain : enrol_hardened, values);
}

ServerFailure PostgresPush::send() {
  const Segment& first = flying_.front();
  Values values;
  std::string key = bytes_of(first.key);
  values.text(connection_.target().stream).uuid(first.origin).bytes(key).int4(segment_format);
  put_segments(values, flying_);
  put_events(values, flying_);
  return connection_.send(tier_ == Tier::plain ? push_plain : push_hardened, values);
}

ServerFailure PostgresPush::receive(bool& stored) {
  stored = false;
  return connection_.receive(
      [&](const RowView& row) { stored = row.integer(0) == static_cast<std::int64_t>(flying_.size()); });
}

// Finds out why the segments were not stored: they are there already, some or all; their origin is new here;
// or its head is elsewhere.
ServerFailure PostgresPush::settle(Pushed& answer, bool& settled) {
  Known known;
  ServerFailure failure = look(flying_.front().origin, known);
  if (failure.failed()) return failure;
  if (!known.registered && flying_.front().first == 1) return enrol(flying_.front());
  if (known.registered && known.key != bytes_of(flying_.front().key))
    return {Trouble::permission, "the origin is registered under another key", ""};
  auto there = std::find_if(flying_.begin(), flying_.end(),
                            [&](const Segment& segment) { return end_of(segment) == known.head; });
  if (there != flying_.end()) flying_.erase(flying_.begin(), there + 1);
  if (!flying_.empty() && known.registered &&
      known.head == Head{flying_.front().first - 1, flying_.front().prev})
    return {};
  settled = true;
  answer.answer = flying_.empty() ? Pushed::Answer::stored : Pushed::Answer::stale;
  answer.head = known.head;
  return {};
}

ServerFailure PostgresPush::attempt(bool& uncertain, Pushed& answer) {
  for (int round = 0; round < 3; ++round) {
    bool settled = false, stored = false;
    ServerFailure failure = uncertain ? settle(answer, settled) : ServerFailure{};
    if (failure.failed() || settled) return failure;
    uncertain = true;
    failure = send();
    if (!failure.failed()) failure = receive(stored);
    if (stored && !failure.failed()) return {};
    if (failure.failed() && failure.trouble != Trouble::stale) return failure;
  }
  return {Trouble::retry, "other writers are always first", ""};
}

// Waits for the answer to what was sent, and does all that it takes when it was not "stored".
Outcome<Pushed> PostgresPush::land() {
  if (flying_.empty()) return Pushed{};
  Pushed answer{Pushed::Answer::stored, end_of(flying_.back())};
  bool stored = false, uncertain = true;
  ServerFailure failure = receive(stored);
  if (!stored && (!failure.failed() || failure.worth_retrying() || failure.trouble == Trouble::stale))
    failure = retrying(connection_, [&] { return attempt(uncertain, answer); });
  flying_.clear();
  if (failure.failed()) return as_failure(failure, connection_.target().shown);
  return answer;
}

// Sends what waits, once the server has answered what it had before.
Outcome<Pushed> PostgresPush::launch() {
  Outcome<Pushed> before = land();
  bool goes_on = before && before->answer == Pushed::Answer::stored;
  if (goes_on) flying_.swap(waiting_);
  waiting_.clear();
  waiting_bytes_ = 0;
  if (!goes_on) return before;
  Pushed answer{Pushed::Answer::stored, end_of(flying_.back())};
  send();  // land() notices a failure: there is no answer
  return answer;
}

// Whether a segment continues what was given before, as far as that is still under way.
bool PostgresPush::follows(const Segment& segment) const {
  if (waiting_.empty() && flying_.empty()) return true;
  const Segment& last = waiting_.empty() ? flying_.back() : waiting_.back();
  return segment.origin == last.origin && segment.key == last.key && segment.first == last.last() + 1 &&
         segment.prev == bytes_of(last.head);
}

Outcome<Pushed> PostgresPush::push(const Segment& segment) {
  if (!segment.signature)
    return Failure{Failure::Kind::misused, "a segment without signature cannot be shared", ""};
  if (!follows(segment)) {
    auto sent = flush();
    if (!sent) return sent.failure();
  }
  waiting_.push_back(segment);
  waiting_bytes_ += bytes_in(segment);
  if (waiting_.size() >= group_segments || waiting_bytes_ >= group_bytes) return launch();
  return Pushed{Pushed::Answer::stored, end_of(segment)};
}

Outcome<bool> PostgresPush::flush() {
  for (bool more : {!waiting_.empty(), false}) {
    auto sent = more ? launch() : land();
    if (!sent) return sent.failure();
    if (sent->answer == Pushed::Answer::stored) continue;
    return Failure{Failure::Kind::unreachable,
                   connection_.target().shown + ": another writer pushed the same origin",
                   "nothing is lost here; try again"};
  }
  return true;
}

Outcome<bool> PostgresPush::erase(const std::vector<Erased>& erased) {
  if (erased.empty()) return true;
  ArrayWriter origins(Type::uuid, erased.size()), seqs(Type::int8, erased.size()),
      digests(Type::bytes, erased.size());
  for (const Erased& one : erased) {
    origins.add(one.origin);
    seqs.add_integer(one.seq);
    digests.add(bytes_of(one.body));
  }
  Values values;
  values.text(connection_.target().stream).array(Type::uuid, origins.take());
  values.array(Type::int8, seqs.take()).array(Type::bytes, digests.take());
  ServerFailure failure = retrying(connection_, [&] {
    return connection_.ask(tier_ == Tier::plain ? erase_plain : erase_hardened, values);
  });
  if (failure.failed()) return as_failure(failure, connection_.target().shown);
  return true;
}

}  // namespace explog::sync
