#include "model/event.h"

#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "model/json.h"

namespace explog {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::experience:
      return "experience";
    case Kind::measurement:
      return "measurement";
    case Kind::retract:
      return "retract";
    case Kind::replace:
      return "replace";
    case Kind::strategy_alias:
      return "strategy-alias";
    case Kind::device:
      return "device";
    case Kind::verdict:
      return "verdict";
    case Kind::redact:
      return "redact";
    case Kind::configurations:
      return "configurations";
  }
  return "unknown";
}

bool understood(std::int64_t kind, std::int64_t version) {
  return kind >= static_cast<std::int64_t>(Kind::experience) &&
         kind <= static_cast<std::int64_t>(Kind::configurations) && version >= 1 && version <= event_version;
}

namespace {

// What `read` makes of a body; nothing when it is no JSON, or a field is missing or of another type.
template <typename Read>
auto read_body(std::string_view body, Read read) -> decltype(read(Json())) try {
  return read(parse_json(body));
} catch (const JsonError&) {
  return std::nullopt;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::optional<EventName> event_name(const Json& j) {
  constexpr std::int64_t sequence_limit = std::int64_t{1} << 40;
  const Json& seq = j.at("seq");
  auto origin = from_hex(j.at("origin").get<std::string>());
  if (!origin || origin->size() != 16 || !seq.is_number_integer()) return std::nullopt;
  EventName name{*origin, seq.get<std::int64_t>()};
  return name.sequence > 0 && name.sequence < sequence_limit ? std::optional(name) : std::nullopt;
}

}  // namespace

std::optional<Retraction> parse_retraction(std::string_view body) {
  return read_body(body, [](const Json& j) -> std::optional<Retraction> {
    auto target = event_name(j);
    if (!target) return std::nullopt;
    return Retraction{*target, j.at("reason").get<std::string>()};
  });
}

std::string to_json(const Retraction& retraction) {
  JsonWriter json;
  json.begin_object();
  json.field("origin", hex(retraction.target.origin));
  json.field("seq", retraction.target.sequence);
  json.field("reason", retraction.reason);
  json.end_object();
  return json.take();
}

std::optional<EventName> parse_replaces(std::string_view body) {
  return read_body(body, [](const Json& j) { return event_name(j.at("replaces")); });
}

std::optional<Replication> parse_verdict(std::string_view body) {
  return read_body(body, [](const Json& j) -> std::optional<Replication> {
    auto target = event_name(j);
    if (!target) return std::nullopt;
    return Replication{*target, j.at("reproduced").get<bool>()};
  });
}

std::optional<StrategyAlias> parse_strategy_alias(std::string_view body) {
  return read_body(body, [](const Json& j) -> std::optional<StrategyAlias> {
    StrategyAlias alias{j.at("name").get<std::string>(), j.at("target").get<std::string>(),
                        j.at("lamport").get<std::int64_t>()};
    bool sound = !alias.name.empty() && !alias.target.empty() && j["lamport"].is_number_integer();
    return sound ? std::optional(alias) : std::nullopt;
  });
}

std::string to_json(const StrategyAlias& alias) {
  JsonWriter json;
  json.begin_object();
  json.field("name", alias.name);
  json.field("target", alias.target);
  json.field("lamport", alias.lamport);
  json.end_object();
  return json.take();
}

}  // namespace explog
