#include "model/log_segment.h"

#include <fmt/format.h>

#include "base/text.h"

namespace explog {
namespace {

void append_number(std::string& to, std::int64_t value) {
  auto bits = static_cast<std::uint64_t>(value);
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(bits >> shift & 0xFF);
}

std::optional<std::string> fault_of_event(const LogEvent& event) {
  if (event.kind <= 0 || event.kind > 0x7FFF || event.version <= 0 || event.version > 0x7FFF)
    return "its kind or version is no number from 1 to 32767";
  if (event.redacted)
    return event.body.empty() ? std::nullopt : std::optional("it is redacted, but has a body");
  if (event.body.size() > max_body_bytes) return "its body is longer than 256 KiB";
  if (event.body.find('\0') != std::string::npos || event.body.find('\n') != std::string::npos)
    return "its body is not one line";
  if (!valid_utf8(event.body)) return "its body is not UTF-8";
  return std::nullopt;
}

}  // namespace

Digest chain_step(const OriginId& origin, std::int64_t seq, std::string_view prev, const LogEvent& event) {
  std::string text = "explog1" + bytes_of(origin);
  append_number(text, seq);
  text += prev;
  text += bytes_of(event.id.bytes);
  for (std::int64_t number : {std::int64_t{event.kind}, std::int64_t{event.version}, event.at_ms})
    append_number(text, number);
  text += bytes_of(event.body_digest());
  return blake2b_256(text);
}

std::string signed_text(const Segment& segment) {
  std::string text = "explog1-batch" + bytes_of(segment.origin);
  append_number(text, segment.first);
  append_number(text, segment.last());
  return text + bytes_of(segment.head);
}

void sign_segment(Segment& segment, const KeySeed& seed) {
  segment.key = public_key_of(seed);
  segment.signature = sign(signed_text(segment), seed);
}

std::optional<std::string> fault_of(const Segment& segment) {
  if (segment.events.empty()) return "it holds no event";
  if (segment.first < 1 || segment.last() > max_sequence) return "its sequence numbers are impossible";
  if (segment.prev.size() != (segment.first == 1 ? 0U : 32U)) return "its chain begins wrongly";
  std::string chain = segment.prev;
  for (size_t i = 0; i < segment.events.size(); ++i) {
    std::int64_t seq = segment.first + static_cast<std::int64_t>(i);
    if (auto fault = fault_of_event(segment.events[i])) return fmt::format("event {}: {}", seq, *fault);
    chain = bytes_of(chain_step(segment.origin, seq, chain, segment.events[i]));
  }
  if (chain != bytes_of(segment.head)) return "an event was changed (the hash chain does not fit)";
  if (segment.signature && !signature_holds(signed_text(segment), *segment.signature, segment.key))
    return "its signature does not hold";
  return std::nullopt;
}

}  // namespace explog
