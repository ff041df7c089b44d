// One entry of the append-only log.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace explog {

// Numbers are stored: never renumber.
enum class Kind { experience = 1, measurement = 2, retract = 3, replace = 4, strategy_alias = 5, device = 6 };
constexpr int event_version = 1;  // version of the bodies this program writes

std::string_view kind_name(Kind kind);

struct Event {
  Uuid id;
  Kind kind = Kind::experience;
  int version = event_version;
  std::int64_t at_ms = 0;  // Unix time in milliseconds as the origin claims it: for display, never for order
  std::string body;        // one JSON line, kept byte for byte
};

// Body of a retraction: the event taken back, and why.
struct Retraction {
  std::string origin;  // 32 lower-case hex digits
  std::int64_t sequence = 0;
  std::string reason;
};
// Nothing for a body that says something else; a stranger's event may hold anything.
std::optional<Retraction> parse_retraction(std::string_view body);

}  // namespace explog
