#include "bench/harness/line_protocol.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "harness/protocol.h"

namespace explog::bench {

namespace {

// Those that end processes; glibc has had their names since 2.32 only.
std::string signal_name(int number) {
  static constexpr auto names = std::to_array<std::pair<int, const char*>>(
      {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
       {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},
       {SIGHUP, "SIGHUP"},   {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTRAP, "SIGTRAP"},
       {SIGQUIT, "SIGQUIT"}, {SIGSYS, "SIGSYS"},   {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"},
       {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"}, {SIGPROF, "SIGPROF"}, {SIGVTALRM, "SIGVTALRM"}});
  for (const auto& [signal, name] : names) {
    if (signal == number) return name;
  }
  return "signal " + std::to_string(number);
}

}  // namespace

std::string failure_word(const Json& answer) {
  auto said = answer.find("reason");
  if (said == answer.end() || !said->is_string()) return "protocol";
  for (std::string_view word : protocol::failure_words) {
    if (said->get<std::string>() == word) return std::string(word);
  }
  return "protocol";
}

std::string random_token() { return hex(random_bytes16()).substr(0, 16); }

void LineProtocol::ended() {
  Child::Ending ending = child_.finish(1000);
  if (ending.status <= 128)
    throw Failed{"exit", fmt::format("the process ended itself with status {}", ending.status)};
  throw Failed{"crash", "the process was ended by " + signal_name(ending.status - 128)};
}

void LineProtocol::hold() {
  if (child_.stop()) return;
  child_.finish(0);
  throw Failed{"timeout", "the process cannot be stopped"};
}

void LineProtocol::hold_between_questions() {
  held_ = true;
  hold();
}

Json LineProtocol::ask(const std::string& command, int timeout_ms) {
  tell(command);
  return hear(timeout_ms);
}

void LineProtocol::tell(const std::string& command) {
  if (child_.has_more()) throw Failed{"forged", "the result pipe holds what nobody asked for"};
  command_ = command;
  token_ = random_token();
  child_.send(token_ + " " + command);
  child_.resume();
}

Json LineProtocol::hear(int timeout_ms) {
  if (child_.pid() < 0) throw Failed{"crash", "the process is gone"};
  std::string line;
  Child::Heard heard = child_.listen(line, timeout_ms);
  if (held_ && heard == Child::Heard::line) hold();
  if (heard == Child::Heard::end) ended();
  if (heard == Child::Heard::timeout) {
    child_.finish(0);
    throw Failed{"timeout", fmt::format("no answer within {:.0f} s to '{}'", timeout_ms / 1000.0,
                                        command_.substr(0, command_.find(' ')))};
  }
  Json answer;
  try {
    answer = parse_json(line, 0);
  } catch (const JsonError&) {
    answer = Json();
  }
  if (!answer.is_object() || answer.value("token", "") != token_)
    throw Failed{"forged",
                 "the result pipe carried a line that is no answer: " + printable(line.substr(0, 80))};
  if (!answer.value("ok", false))
    throw Failed{failure_word(answer), printable(answer.value("detail", "no reason given"))};
  return answer;
}

}  // namespace explog::bench
