#include "sync/segment_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/zstd.h"
#include "model/json.h"

namespace explog::sync {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text, int base = 10) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

template <size_t N>
std::optional<std::array<unsigned char, N>> hex_field(std::string_view text) {
  auto bytes = from_hex(text);
  return bytes ? array_of<N>(*bytes) : std::nullopt;
}

std::string event_line(const LogEvent& e) {
  std::string line =
      fmt::format("{} {} {} {} {}", e.redacted ? 'r' : 'e', hex(e.id.bytes), e.kind, e.version, e.at_ms);
  if (e.redacted) return line + ' ' + hex(*e.redacted) + '\n';
  return line + '\n' + e.body + '\n';
}

// Goes through the lines of a text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.empty(); }
  // The next line without its end; nothing when it has none, as at the end of a text that was cut.
  std::optional<std::string_view> next() {
    size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

 private:
  std::string_view rest_;
};

struct Header {
  Segment segment;
  std::int64_t last = 0;
};

std::variant<Header, std::string> parse_header(std::string_view line) try {
  Json j = parse_json(line);
  const Json& version = j.at("explog");
  if (!version.is_number_integer() || version.get<std::int64_t>() < 1)
    return "its first line names no version";
  if (version.get<std::int64_t>() > segment_format)
    return fmt::format("it is of format {}; this explog reads {}: upgrade", version.get<std::int64_t>(),
                       segment_format);
  auto text = [&](const char* name) { return j.at(name).get<std::string>(); };
  auto origin = hex_field<16>(text("origin"));
  auto head = hex_field<32>(text("head"));
  auto key = hex_field<32>(text("key"));
  auto signature = hex_field<64>(text("signature"));
  auto prev = from_hex(text("prev"));
  if (!origin || !head || !key || !signature || !prev) return "its first line is malformed";
  if (!j.at("first").is_number_integer() || !j.at("last").is_number_integer())
    return "its first line is malformed";
  Header h;
  h.segment.origin = *origin;
  h.segment.first = j.at("first").get<std::int64_t>();
  h.last = j.at("last").get<std::int64_t>();
  h.segment.prev = *prev;
  h.segment.head = *head;
  h.segment.key = *key;
  h.segment.signature = signature;
  if (h.segment.first < 1 || h.last < h.segment.first || h.last > max_sequence)
    return "its range is impossible";
  return h;
} catch (const JsonError&) {
  return "its first line is no JSON";
} catch (const Json::exception&) {
  return "its first line is malformed";
}

std::optional<LogEvent> parse_event(std::string_view line, Lines& lines) {
  auto words = split(line, ' ');
  bool erased = words[0] == "r";
  if (words.size() != (erased ? 6U : 5U) || (!erased && words[0] != "e")) return std::nullopt;
  auto id = hex_field<16>(words[1]);
  auto kind = whole_number(words[2]), version = whole_number(words[3]);
  bool before_epoch = words[4].starts_with('-');
  auto at = whole_number(words[4].substr(before_epoch ? 1 : 0));
  if (!id || !kind || !version || !at || *kind > 0x7FFF || *version > 0x7FFF) return std::nullopt;
  LogEvent e{Uuid{*id}, static_cast<int>(*kind), static_cast<int>(*version), before_epoch ? -*at : *at, {},
             {}};
  if (erased) {
    e.redacted = hex_field<32>(words[5]);
    return e.redacted ? std::optional(std::move(e)) : std::nullopt;
  }
  auto body = lines.next();
  if (!body) return std::nullopt;
  e.body = *body;
  return e;
}

std::variant<Segment, std::string> parse_segment(Lines& lines) {
  auto first = lines.next();
  if (!first) return "it is cut short";
  auto header = parse_header(*first);
  if (auto* fault = std::get_if<std::string>(&header)) return *fault;
  auto& [segment, last] = std::get<Header>(header);
  while (segment.last() < last) {
    auto line = lines.next();
    if (!line) return "it is cut short";
    auto event = parse_event(*line, lines);
    if (!event) return fmt::format("event {} is malformed", segment.last() + 1);
    segment.events.push_back(std::move(*event));
  }
  auto end = lines.next();
  if (!end || *end != fmt::format("end {}", segment.events.size())) return "its last line is missing";
  return std::move(segment);
}

}  // namespace

void append_lines(std::string& text, const Segment& segment) {
  text += fmt::format(
      R"({{"explog":{},"origin":"{}","first":{},"last":{},"prev":"{}","head":"{}","key":"{}","signature":"{}"}})",
      segment_format, hex(segment.origin), segment.first, segment.last(), hex(segment.prev),
      hex(segment.head), hex(segment.key), hex(segment.signature.value()));
  text += '\n';
  for (const LogEvent& event : segment.events) text += event_line(event);
  text += fmt::format("end {}\n", segment.events.size());
}

std::variant<std::vector<Segment>, std::string> parse_lines(std::string_view text) {
  std::vector<Segment> segments;
  Lines lines(text);
  do {
    auto segment = parse_segment(lines);
    if (auto* fault = std::get_if<std::string>(&segment)) return *fault;
    segments.push_back(std::move(std::get<Segment>(segment)));
  } while (!lines.at_end());
  return segments;
}

std::variant<std::vector<Segment>, std::string> parse_file(std::string_view packed) {
  auto text = decompress(packed, max_file_bytes);
  if (!text) return "it is no whole zstd data of at most 64 MiB";
  return parse_lines(*text);
}

std::string file_name(const FileName& name) {
  return fmt::format("{}-{:016x}-{:016x}.{}.exl", hex(name.origin), name.first, name.last, name.digest);
}

std::optional<FileName> parse_file_name(std::string_view text) {
  constexpr size_t length = 32 + 1 + 16 + 1 + 16 + 1 + 16 + 4;
  if (text.size() != length || text[32] != '-' || text[49] != '-' || text[66] != '.' ||
      text.substr(83) != ".exl")
    return std::nullopt;
  auto origin = hex_field<16>(text.substr(0, 32));
  bool digits = text.substr(33, 50).find_first_not_of("0123456789abcdef-.") == std::string_view::npos &&
                from_hex(text.substr(67, 16)).has_value();
  auto first = whole_number(text.substr(33, 16), 16), last = whole_number(text.substr(50, 16), 16);
  if (!origin || !digits || !first || !last || *first < 1 || *last < *first || *last > max_sequence)
    return std::nullopt;
  return FileName{*origin, *first, *last, std::string(text.substr(67, 16))};
}

std::string file_digest(std::string_view packed) { return hex(blake2b_256(packed)).substr(0, 16); }

}  // namespace explog::sync
