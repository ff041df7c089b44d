#include "sync/postgres.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sync/postgres_init.h"
#include "sync/postgres_pull.h"
#include "sync/postgres_push.h"

namespace explog::sync {
namespace {

constexpr double known_schema = 1;

constexpr auto greet_statement = R"(
SELECT (SELECT value FROM explog.meta WHERE key = 'min_client'), (SELECT value FROM explog.meta WHERE key = 'tier'),
       s.epoch, s.head_pos,
       (SELECT b.head_hash FROM explog.batch b WHERE b.stream = s.stream AND b.pos = $2)
  FROM explog.stream s WHERE s.stream = $1)";

constexpr auto heads_plain =
    "SELECT origin, head_seq, head_hash, true, true FROM explog.origin WHERE stream = $1";
constexpr auto heads_hardened = R"(
SELECT o.origin, o.head_seq, o.head_hash, r.can_push, r.moderator
  FROM explog.rights($1) r LEFT JOIN explog.origin o ON o.stream = $1)";
constexpr size_t heads_bytes = size_t{64} << 20;

// What the server says about the stream.
struct Greeting {
  bool found = false;
  std::string min_client, tier;
  OriginId epoch{};
  std::int64_t last = 0;   // position
  std::string head_there;  // hash of the batch at the cursor's position
};

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
      return Failure{e.exit, e.what(), e.hint};
    }
  }
  Outcome<Welcome> greet(const Identity& self, const std::string& cursor);
  ServerFailure read_greeting(std::int64_t position, Greeting& greeting);
  ServerFailure read_heads(Tier tier, Welcome& welcome);
  PullCursor continue_from(const std::optional<PullCursor>& cursor, const Greeting& greeting,
                           std::string& note) const;
  Failure failed(const std::string& what, Exit exit, const std::string& hint) const {
    return {exit, connection_.target().shown + ": " + what, hint};
  }

  std::string url_;
  PostgresConnection connection_;
  PostgresPush push_;
  PostgresPull pull_;
};

ServerFailure PostgresRemote::read_greeting(std::int64_t position, Greeting& greeting) {
  Values values;
  values.text(connection_.target().stream).integer(position);
  return connection_.ask(greet_statement, values, [&](const RowView& row) {
    greeting = {true,        std::string(row.text(0)), std::string(row.text(1)),
                row.uuid(2), row.integer(3),           row.is_null(4) ? "" : std::string(row.bytes(4))};
  });
}

ServerFailure PostgresRemote::read_heads(Tier tier, Welcome& welcome) {
  Values values;
  values.text(connection_.target().stream);
  welcome.heads.clear();
  bool may_push = false;
  welcome.relays = false;
  ServerFailure failure = connection_.ask(
      tier == Tier::plain ? heads_plain : heads_hardened, values,
      [&](const RowView& row) {
        may_push = row.boolean(3);
        welcome.relays = row.boolean(4);
        if (!row.is_null(0)) welcome.heads[row.uuid(0)] = {row.integer(1), std::string(row.bytes(2))};
      },
      heads_bytes);
  if (tier == Tier::plain)
    welcome.relays = true;
  else if (!may_push)
    welcome.note = "your role may only read here";
  return failure;
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
                  Exit::unavailable, "`explog remote init` makes a stream, a moderator admits members");
  }
  if (parse_number(greeting.min_client).value_or(0) > known_schema)
    return failed("it is meant for a newer explog", Exit::store,
                  "upgrade explog; everything local goes on working");
  Tier tier = greeting.tier == "hardened" ? Tier::hardened : Tier::plain;
  Welcome welcome;
  failure = retrying(connection_, [&] { return read_heads(tier, welcome); });
  if (failure.failed()) return as_failure(failure, connection_.target().shown);
  pull_.begin(continue_from(from, greeting, welcome.note), greeting.last);
  push_.begin(self, tier);
  return welcome;
}

}  // namespace

std::unique_ptr<Remote> make_postgres(const std::string& url) {
  return std::make_unique<PostgresRemote>(url);
}

}  // namespace explog::sync
