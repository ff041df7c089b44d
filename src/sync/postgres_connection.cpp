#include "sync/postgres_connection.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"
#include "sync/libpq.h"
#include "sync/postgres_memory.h"

namespace explog::sync {
namespace {

using Clock = std::chrono::steady_clock;
using Result = std::unique_ptr<PGresult, decltype(Libpq::clear)>;
constexpr auto statement_time = std::chrono::seconds(120);  // for one page or one batch, however it trickles
constexpr int most_noise = 10000;                           // notices and notifications of one statement
constexpr int password_time_ms = 60000;

// A server's words as one line that is safe to store and to print.
std::string one_line(const char* text) {
  std::string line(trim(text == nullptr ? "" : text));
  for (char& c : line) c = c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  return printable(without_passwords(line.substr(0, 500)));
}

// Waits for the socket; false at the time limit.
bool await(pg_conn* connection, short events, Clock::time_point end) {
  pollfd one{pq().socket(connection), events, 0};
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0 || one.fd < 0) return false;
    int ready = poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// The SQLSTATE in "FATAL:  28P01: password ...", the form of a refused connection with verbose errors: libpq
// has no function that tells it.
std::string state_of_refusal(std::string_view message) {
  auto is_code = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
  for (size_t at = message.find(":  "); at != std::string_view::npos; at = message.find(":  ", at + 3)) {
    std::string_view code = message.substr(at + 3, 5);
    if (code.size() == 5 && message.substr(at + 8, 2) == ": " &&
        std::all_of(code.begin(), code.end(), is_code))
      return std::string(code);
  }
  return "";
}

// "FATAL:  28P01: text LOCATION:  function, file" -> "text".
std::string plain_refusal(const std::string& message, const std::string& state) {
  std::string text = message;
  if (size_t at = text.find(":  " + state + ": "); !state.empty() && at != std::string::npos)
    text.erase(0, at + 10);
  return text.substr(0, text.find(" LOCATION:  "));
}

std::string password_from_command(const std::string& command) {
  // What the command complains about must not become part of the password.
  Finished done = run_program({"/bin/sh", "-c", "exec 2>/dev/null; " + command}, password_time_ms);
  if (done.timed_out || done.status != 0)
    throw Error(Exit::unavailable, "EXPLOG_PASSWORD_COMMAND failed",
                done.timed_out ? "it took more than a minute" : "run it by hand to see why");
  return done.output.substr(0, done.output.find('\n'));
}

std::string setting(const PostgresTarget& target, std::string_view keyword) {
  for (const auto& [key, value] : target.settings) {
    if (key == keyword) return value;
  }
  return "";
}

void count_notice(void* count, const PGresult*) { ++*static_cast<int*>(count); }

pg_conn* start(const PostgresTarget& target, const std::string& password) {
  std::vector<const char*> keywords, values;
  for (const auto& [keyword, value] : target.settings) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  if (!password.empty()) keywords.push_back("password"), values.push_back(password.c_str());
  keywords.push_back(nullptr), values.push_back(nullptr);
  return pq().connectStartParams(keywords.data(), values.data(), 0);
}

}  // namespace

void PostgresConnection::Close::operator()(pg_conn* connection) const { pq().finish(connection); }
PostgresConnection::~PostgresConnection() = default;

bool PostgresConnection::is_standby() const {
  const char* answer = connection_ ? pq().parameterStatus(connection_.get(), "in_hot_standby") : nullptr;
  return answer != nullptr && std::string_view(answer) == "on";
}

ServerFailure PostgresConnection::open() {
  ServerFailure failure = connect("");
  std::string command = env("EXPLOG_PASSWORD_COMMAND");
  bool wants_password = connection_ && pq().connectionNeedsPassword(connection_.get()) != 0;
  if (failure.failed() && wants_password && !command.empty())
    failure = connect(password_from_command(command));
  if (failure.failed()) connection_.reset();
  return failure;
}

ServerFailure PostgresConnection::connect(const std::string& password) {
  MemoryLimit limit;
  connection_.reset(start(target_, password));
  if (!connection_) return {Trouble::stop, "out of memory", ""};
  pq().setErrorVerbosity(connection_.get(), PQERRORS_VERBOSE);
  pq().setNoticeReceiver(connection_.get(), count_notice, &noise_);
  double seconds = parse_number(setting(target_, "connect_timeout")).value_or(15);
  if (wait_until_connected(Clock::now() +
                           std::chrono::seconds(static_cast<int>(std::clamp(seconds, 1.0, 600.0))))) {
    pq().setErrorVerbosity(connection_.get(), PQERRORS_DEFAULT);
    pq().setnonblocking(connection_.get(), 1);
    return {};
  }
  std::string message = one_line(pq().errorMessage(connection_.get()));
  std::string state = state_of_refusal(message);
  bool no_password = pq().connectionNeedsPassword(connection_.get()) != 0;
  if (message.empty()) message = "no answer in time";
  Trouble trouble = no_password ? Trouble::permission : state.empty() ? Trouble::lost : trouble_of(state);
  return {trouble, plain_refusal(message, state), ""};
}

bool PostgresConnection::wait_until_connected(Time end) {
  PostgresPollingStatusType wants = PGRES_POLLING_WRITING;
  while (pq().status(connection_.get()) != CONNECTION_BAD) {
    if (!await(connection_.get(), wants == PGRES_POLLING_READING ? POLLIN : POLLOUT, end)) return false;
    wants = pq().connectPoll(connection_.get());
    if (wants == PGRES_POLLING_OK) return true;
    if (wants == PGRES_POLLING_FAILED) return false;
  }
  return false;
}

// The connection is gone, and with it the knowledge of what became of the statement.
ServerFailure PostgresConnection::drop(const std::string& why) {
  connection_.reset();
  return {Trouble::lost, why, ""};
}

// It talks nonsense, or not at all: another try would go as this one did.
ServerFailure PostgresConnection::give_up(const std::string& why) {
  connection_.reset();
  return {Trouble::stop, why, ""};
}

ServerFailure PostgresConnection::lost() {
  std::string message = one_line(pq().errorMessage(connection_.get()));
  return drop(message.empty() ? "the connection was lost" : message);
}

ServerFailure PostgresConnection::flush(Time end) {
  int waiting = 0;
  while ((waiting = pq().flush(connection_.get())) > 0) {
    if (!await(connection_.get(), POLLIN | POLLOUT, end)) return give_up("the server takes no more");
    if (pq().consumeInput(connection_.get()) == 0) return lost();
  }
  return waiting < 0 ? lost() : ServerFailure{};
}

ServerFailure PostgresConnection::started(bool sent) {
  return sent ? flush(Clock::now() + statement_time) : lost();
}

ServerFailure PostgresConnection::run(const std::string& statements) {
  if (!connection_) return {Trouble::lost, "not connected", ""};
  ServerFailure failure = started(pq().sendQuery(connection_.get(), statements.c_str()) != 0);
  return failure.failed() ? failure : read_all(no_rows, 0);
}

ServerFailure PostgresConnection::send(const char* statement, const Values& values) {
  if (!connection_) return {Trouble::lost, "not connected", ""};
  bool sent = pq().sendQueryParams(connection_.get(), statement, values.size(), values.types(),
                                   values.pointers(), values.lengths(), values.formats(), 1) != 0;
  if (sent) pq().setSingleRowMode(connection_.get());
  return started(sent);
}

ServerFailure PostgresConnection::receive(const Rows& rows, size_t max_bytes) {
  if (!connection_) return {Trouble::lost, "not connected", ""};
  return read_all(rows, max_bytes);
}

ServerFailure PostgresConnection::ask(const char* statement, const Values& values, const Rows& rows,
                                      size_t max_bytes) {
  ServerFailure failure = send(statement, values);
  return failure.failed() ? failure : receive(rows, max_bytes);
}

bool PostgresConnection::await_result(Time end) {
  while (pq().isBusy(connection_.get()) != 0) {
    if (!await(connection_.get(), POLLIN, end)) return false;
    if (pq().consumeInput(connection_.get()) == 0) break;  // PQgetResult tells why
    // Notices and, behind a pooler, notifications for others are dropped; a flood of them is no answer.
    for (PGnotify* one = pq().notifies(connection_.get()); one != nullptr;
         one = pq().notifies(connection_.get())) {
      ++noise_;
      pq().freemem(one);
    }
    if (noise_ > most_noise || Clock::now() > end) return false;
  }
  return true;
}

ServerFailure PostgresConnection::take(const pg_result* result, const Rows& rows, size_t& left) {
  switch (pq().resultStatus(result)) {
    case PGRES_SINGLE_TUPLE: {
      RowView row(result, 0, target_.shown);
      if (row.size() > left)
        throw Error(Exit::remote, target_.shown + ": the server sends more than was asked for");
      left -= row.size();
      rows(row);
      return {};
    }
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY:
      return {};
    case PGRES_FATAL_ERROR:
      break;
    default:
      return give_up("the server answers what explog did not ask");  // COPY, pipelines
  }
  const char* state = pq().resultErrorField(result, PG_DIAG_SQLSTATE);
  const char* text = pq().resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (state == nullptr) return lost();
  return {trouble_of(state), one_line(text), one_line(pq().resultErrorField(result, PG_DIAG_MESSAGE_DETAIL))};
}

ServerFailure PostgresConnection::read_all(const Rows& rows, size_t max_bytes) {
  MemoryLimit limit;
  noise_ = 0;
  Time end = Clock::now() + statement_time;
  ServerFailure first;
  size_t left = max_bytes;
  try {
    while (true) {
      if (!await_result(end) || Clock::now() > end) return give_up("the server did not answer in time");
      Result result(pq().getResult(connection_.get()), pq().clear);
      if (!result) break;
      ServerFailure failure = take(result.get(), rows, left);
      if (failure.failed() && !first.failed()) first = failure;
      if (!connection_) return first;
    }
  } catch (...) {  // unread rows would be taken for the next statement's
    connection_.reset();
    throw;
  }
  if (first.trouble == Trouble::lost || pq().status(connection_.get()) == CONNECTION_BAD) connection_.reset();
  return first;
}

bool Backoff::wait() {
  if (++tries_ > 5) return false;
  // 0.05, 0.15, 0.45, 1.35, 4.05 seconds, each half to all of it: a server that restarts is back by then.
  int most = 50, random = random_bytes16()[0];
  for (int i = 1; i < tries_; ++i) most *= 3;
  std::this_thread::sleep_for(std::chrono::milliseconds(most / 2 + most * random / 510));
  return true;
}

ServerFailure retrying(PostgresConnection& connection, const std::function<ServerFailure()>& attempt) {
  Backoff backoff;
  while (true) {
    ServerFailure failure = connection.is_open() ? ServerFailure{} : connection.open();
    if (!failure.failed()) failure = attempt();
    if (!failure.worth_retrying() || !backoff.wait()) return failure;
  }
}

}  // namespace explog::sync
