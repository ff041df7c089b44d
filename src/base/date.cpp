#include "base/date.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "base/text.h"

namespace explog {
namespace {

constexpr double first_s = 946684800;    // 2000: what is older is no date of a GPU kernel
constexpr double last_s = 253402300800;  // the year 10000
constexpr double seconds_or_ms = 1e11;   // larger numbers are milliseconds

// Takes `digits` digits from the front of the text.
std::optional<int> take(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  std::string_view part = text.substr(0, digits);
  if (part.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  text.remove_prefix(digits);
  return static_cast<int>(*parse_number(part));
}

bool skip(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text[0]) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// "Z", " UTC", "+02:00", "+0200" or nothing: seconds east of UTC.
std::optional<int> zone_s(std::string_view text) {
  text = trim(text);
  if (text.empty() || text == "Z" || text == "z" || text == "UTC" || text == "GMT") return 0;
  int sign = text[0] == '-' ? -1 : 1;
  if (!skip(text, "+-")) return std::nullopt;
  auto hours = take(text, 2);
  skip(text, ":");
  auto minutes = text.empty() ? std::optional(0) : take(text, 2);
  if (!hours || !minutes || !text.empty() || *hours > 14 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

// "12:30", "12:30:05", "12:30:05.25": seconds of the day; the text keeps what follows.
std::optional<double> clock_s(std::string_view& text) {
  auto hours = take(text, 2);
  auto minutes = hours && skip(text, ":") ? take(text, 2) : std::nullopt;
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  double seconds = 0;
  if (skip(text, ":")) {
    std::string_view rest = text.substr(0, text.find_first_not_of("0123456789."));
    auto value = parse_number(rest);
    if (!value || *value < 0 || *value >= 61) return std::nullopt;
    seconds = *value;
    text.remove_prefix(rest.size());
  }
  return *hours * 3600 + *minutes * 60 + seconds;
}

std::optional<double> date_s(std::string_view text) {
  auto year = take(text, 4);
  auto month = year && skip(text, "-/") ? take(text, 2) : std::nullopt;
  auto day = month && skip(text, "-/") ? take(text, 2) : std::nullopt;
  if (!day) return std::nullopt;
  using namespace std::chrono;
  year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                      std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  auto midnight = static_cast<double>(sys_days(date).time_since_epoch().count()) * 86400;
  if (text.empty()) return midnight;
  auto clock = skip(text, "Tt ") ? clock_s(text) : std::nullopt;
  auto zone = clock ? zone_s(text) : std::nullopt;
  if (!zone) return std::nullopt;
  return midnight + *clock - *zone;
}

}  // namespace

std::optional<std::int64_t> date_ms(std::string_view text) {
  text = trim(text);
  auto number = parse_number(text);
  auto seconds = !number ? date_s(text) : *number >= seconds_or_ms ? std::optional(*number / 1000) : number;
  if (!seconds || *seconds < first_s || *seconds >= last_s) return std::nullopt;
  return std::llround(*seconds * 1000);
}

std::string date_text(std::int64_t at_ms) {
  std::string text = utc_text(at_ms);
  return text.substr(0, 10) + " " + text.substr(11, 8) + " UTC";
}

std::string utc_text(std::int64_t at_ms) {
  std::time_t seconds = at_ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace explog
