#include "model/event.h"

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
  }
  return "unknown";
}

std::optional<Retraction> parse_retraction(std::string_view body) try {
  constexpr std::int64_t sequence_limit = std::int64_t{1} << 40;
  Json j = parse_json(body);
  Retraction r{j.at("origin").get<std::string>(), j.at("seq").get<std::int64_t>(),
               j.at("reason").get<std::string>()};
  bool origin = r.origin.size() == 32 && r.origin.find_first_not_of("0123456789abcdef") == std::string::npos;
  bool sound = origin && j["seq"].is_number_integer() && r.sequence > 0 && r.sequence < sequence_limit;
  return sound ? std::optional(r) : std::nullopt;
} catch (const JsonError&) {
  return std::nullopt;
} catch (const Json::exception&) {  // a field is missing or of another type
  return std::nullopt;
}

}  // namespace explog
