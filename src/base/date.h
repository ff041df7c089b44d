// Dates as people and programs write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace explog {

// Unix time in milliseconds of "2026-01-31", "2026-01-31T12:00:00.5Z", "2026-01-31 12:00 +02:00", or of a number of
// seconds or milliseconds since 1970. Without a zone it is UTC. Nothing: it is no such date, or before 2000.
std::optional<std::int64_t> date_ms(std::string_view text);

// "2026-01-31 12:00:00 UTC".
std::string date_text(std::int64_t at_ms);
// "2026-01-31T12:00:00Z", as programs write it.
std::string utc_text(std::int64_t at_ms);

}  // namespace explog
