#include "sync/postgres.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "sync/postgres_init.h"
#include "sync/postgres_pull.h"
#include "sync/postgres_push.h"

namespace explog::sync {
namespace {

constexpr double known_schema = 1;

// What was thrown on the way to the server: libpq is missing, or an answer is nonsense.
Failure failure_of(const Error& e) {
  Failure::Kind kind = e.exit == Exit::unavailable ? Failure::Kind::refused
                       : e.exit == Exit::usage     ? Failure::Kind::misused
                                                   : Failure::Kind::unreachable;
  return {kind, e.what(), e.hint};
}

constexpr auto greet_statement = R"(
SELECT w.min_client, w.tier, w.epoch, w.head_pos, w.can_push, w.moderator, w.origin, w.head_seq, w.head_hash,
       (SELECT b.head_hash FROM explog.batch b WHERE b.stream = $1 AND b.pos = $2)
  FROM explog.welcome w WHERE w.stream = $1)";
constexpr size_t greeting_bytes = size_t{128} << 20;  // some 100 a row, a row an origin

// What the server says about the stream, and about us.
struct Greeting {
  bool found = false;
  std::string min_client, tier;
  OriginId epoch{};
  std::int64_t last = 0;  // position
  bool may_push = false, moderator = false;
  Heads heads;
  std::string head_there;  // hash of the batch at the cursor's position
};

void read_row(const RowView& row, Greeting& greeting) {
  if (!greeting.found) {
    greeting.found = true;
    greeting.min_client = row.text(0);
    greeting.tier = row.text(1);
    greeting.epoch = row.uuid(2);
    greeting.last = row.integer(3);
    greeting.may_push = row.boolean(4);
    greeting.moderator = row.boolean(5);
    greeting.head_there = row.is_null(9) ? "" : row.bytes(9);
  }
  if (!row.is_null(6)) greeting.heads[row.uuid(6)] = {row.integer(7), std::string(row.bytes(8))};
}

class PostgresRemote : public Remote {
 public:
  explicit PostgresRemote(const std::string& url)
      : url_(url), connection_(parse_postgres_url(url)), push_(connection_), pull_(connection_) {}

  std::string where() const override { return url_; }
  Outcome<std::string> init(const Founding& founding) override {
    return guarded<std::string>([&] { return init_postgres(connection_, founding); });
  }
  Outcome<Welcome> connect(const Identity& self, const std::string& cursor) override {
    return guarded<Welcome>([&] { return greet(self, cursor); });
  }
  Outcome<Pushed> push(const Segment& segment) override {
    return guarded<Pushed>([&] { return push_.push(segment); });
  }
  Outcome<bool> flush() override {
    return guarded<bool>([&] { return push_.flush(); });
  }
  Outcome<bool> erase(const std::vector<Erased>& erased) override {
    return guarded<bool>([&] { return push_.erase(erased); });
  }
  Outcome<Page> pull(const Heads& have) override {
    return guarded<Page>([&] { return pull_.pull(have); });
  }

 private:
  // A server that answers nonsense is a remote that failed, no end of the command.
  template <typename T, typename Call>
  Outcome<T> guarded(Call call) {
    try {
      return call();
    } catch (const Error& e) {
      return failure_of(e);
    }
  }
  Outcome<Welcome> greet(const Identity& self, const std::string& cursor);
  ServerFailure read_greeting(std::int64_t position, Greeting& greeting);
  PullCursor continue_from(const std::optional<PullCursor>& cursor, const Greeting& greeting,
                           std::string& note) const;
  Failure failed(const std::string& what, Failure::Kind kind, const std::string& hint) const {
    return {kind, connection_.target().shown + ": " + what, hint};
  }

  std::string url_;
  PostgresConnection connection_;
  PostgresPush push_;
  PostgresPull pull_;
};

ServerFailure PostgresRemote::read_greeting(std::int64_t position, Greeting& greeting) {
  Values values;
  values.text(connection_.target().stream).integer(position);
  greeting = {};
  return connection_.ask(
      greet_statement, values, [&](const RowView& row) { read_row(row, greeting); }, greeting_bytes);
}

// Where to go on: at the cursor, unless the server's history is not the one that the cursor is of.
PullCursor PostgresRemote::continue_from(const std::optional<PullCursor>& cursor, const Greeting& greeting,
                                         std::string& note) const {
  PullCursor start{greeting.epoch, 0, ""};
  if (!cursor || cursor->position == 0) return start;
  bool behind = greeting.last < cursor->position;
  bool same = cursor->epoch == greeting.epoch;
  if (same && behind && connection_.is_standby()) return *cursor;  // a replica that lags: nothing new for now
  bool other_batch = !cursor->head.empty() && cursor->head != greeting.head_there;
  if (same && !behind && !other_batch) return *cursor;
  note = same ? "the server was restored from an older copy; its batches are compared again from the first"
              : "the server's log was made anew; its batches are read from the first";
  return start;
}

Outcome<Welcome> PostgresRemote::greet(const Identity& self, const std::string& cursor) {
  auto from = parse_pull_cursor(cursor);
  ServerFailure failure = connection_.open();
  if (failure.failed() && failure.trouble != Trouble::retry)
    return as_failure(failure, connection_.target().shown);
  Greeting greeting;
  failure = retrying(connection_, [&] { return read_greeting(from ? from->position : 0, greeting); });
  if (failure.failed()) return as_failure(failure, connection_.target().shown);
  if (!greeting.found) {
    return failed("no stream '" + connection_.target().stream + "' that you are a member of",
                  Failure::Kind::refused, "`explog remote init` makes a stream, a moderator admits members");
  }
  if (parse_number(greeting.min_client).value_or(0) > known_schema)
    return failed("it is meant for a newer explog", Failure::Kind::too_old,
                  "upgrade explog; everything local goes on working");
  Welcome welcome;
  welcome.heads = std::move(greeting.heads);
  welcome.relays = greeting.moderator;
  PullCursor start = continue_from(from, greeting, welcome.note);
  welcome.news = start.position < greeting.last;
  pull_.begin(std::move(start), greeting.last);
  if (!greeting.may_push)
    welcome.note += (welcome.note.empty() ? "" : "; ") + std::string("your role may only read here");
  push_.begin(self, greeting.tier == "hardened" ? Tier::hardened : Tier::plain);
  return welcome;
}

}  // namespace

std::unique_ptr<Remote> make_postgres(const std::string& url) {
  return std::make_unique<PostgresRemote>(url);
}

}  // namespace explog::sync
