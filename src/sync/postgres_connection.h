// One connection to a PostgreSQL server: safe settings, time limits, bounded memory, failures as values.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "sync/postgres_failure.h"
#include "sync/postgres_url.h"
#include "sync/postgres_values.h"

struct pg_conn;

namespace explog::sync {

class PostgresConnection {
 public:
  explicit PostgresConnection(PostgresTarget target) : target_(std::move(target)) {}
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  // Connects, or connects anew. When the server wants a password that libpq has not found,
  // EXPLOG_PASSWORD_COMMAND is run for it.
  ServerFailure open();
  bool is_open() const { return connection_ != nullptr; }

  using Rows = std::function<void(const RowView&)>;
  static void no_rows(const RowView&) {}

  // One or more statements without parameters and rows, in one round trip.
  ServerFailure run(const std::string& statements);
  // One statement, its rows one at a time. Throws Error(remote) when rows are not what was asked for, or
  // together longer than `max_bytes`.
  ServerFailure ask(const char* statement, const Values& values, const Rows& rows = no_rows,
                    size_t max_bytes = size_t{1} << 20);
  // The halves of ask: what happens in between happens while the server works.
  ServerFailure send(const char* statement, const Values& values);
  ServerFailure receive(const Rows& rows = no_rows, size_t max_bytes = size_t{1} << 20);

  // A replica that follows a primary and may be behind it (PostgreSQL 14 and later say so by themselves).
  bool is_standby() const;
  const PostgresTarget& target() const { return target_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Close {
    void operator()(pg_conn* connection) const;
  };
  ServerFailure connect(const std::string& password);
  bool wait_until_connected(Time end);
  ServerFailure started(bool sent);
  ServerFailure flush(Time end);
  bool await_result(Time end);
  ServerFailure take(const pg_result* result, const Rows& rows, size_t& left);
  ServerFailure read_all(const Rows& rows, size_t max_bytes);
  ServerFailure drop(const std::string& why);
  ServerFailure give_up(const std::string& why);
  ServerFailure lost();

  PostgresTarget target_;
  int noise_ = 0;
  std::unique_ptr<pg_conn, Close> connection_;
};

// Waits before another try: longer each time, never the same for two clients. False after the last try.
class Backoff {
 public:
  bool wait();

 private:
  int tries_ = 0;
};

// Does `attempt` until it succeeds, fails for good, or failed six times; connects anew where need be. Each
// attempt starts from nothing.
ServerFailure retrying(PostgresConnection& connection, const std::function<ServerFailure()>& attempt);

}  // namespace explog::sync
