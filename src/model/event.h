// One entry of the append-only log.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace explog {

// Numbers are stored: never renumber.
enum class Kind {
  experience = 1,
  measurement = 2,
  retract = 3,
  replace = 4,  // an experience that takes the place of another of the same origin
  strategy_alias = 5,
  device = 6,
  verdict = 7,         // another machine's finding on a record: reproduced or not
  redact = 8,          // as retract, and the body is erased wherever the log is kept
  configurations = 9,  // settings of a kernel that somebody found good, without times
};
constexpr int event_version = 1;  // version of the bodies this program writes

std::string_view kind_name(Kind kind);
// Whether this program knows what such an event means; others are kept, handed on and left alone.
bool understood(std::int64_t kind, std::int64_t version);

struct Event {
  Uuid id;
  Kind kind = Kind::experience;
  int version = event_version;
  std::int64_t at_ms =
      0;             // Unix time in milliseconds as the origin claims it: for lists, never for what counts
  std::string body;  // one JSON line, kept byte for byte
};

// An event of any origin, as bodies name it.
struct EventName {
  std::string origin;  // 16 bytes
  std::int64_t sequence = 0;
};

// Bodies of the events that speak of others. Nothing for a body that says something else: a stranger's event
// may hold anything.
struct Retraction {  // retract and redact
  EventName target;
  std::string reason;
};
std::optional<Retraction> parse_retraction(std::string_view body);
std::string to_json(const Retraction& retraction);

// `replaces` of an experience's body: {"origin", "seq"}.
std::optional<EventName> parse_replaces(std::string_view body);

struct Replication {
  EventName target;
  bool reproduced = false;
};
std::optional<Replication> parse_verdict(std::string_view body);

struct StrategyAlias {
  std::string name, target;
  std::int64_t lamport = 0;  // one more than the highest its writer had seen
};
std::optional<StrategyAlias> parse_strategy_alias(std::string_view body);
std::string to_json(const StrategyAlias& alias);

}  // namespace explog
