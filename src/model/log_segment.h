// A signed range of one origin's log: what travels between databases.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/sign.h"

namespace explog {

using OriginId = Bytes16;

// An event as it travels. Kind and version may be ones that this program does not know: it is kept and handed
// on unchanged.
struct LogEvent {
  Uuid id;
  int kind = 0;
  int version = 0;
  std::int64_t at_ms = 0;          // as the origin claims it
  std::string body;                // the exact bytes; empty when it was redacted
  std::optional<Digest> redacted;  // digest of the body that was erased; the chain still verifies with it
  Digest body_digest() const { return redacted ? *redacted : blake2b_256(body); }
};

// Events first, first + 1, ... of one origin with the proof that they are its own: the hash chain up to
// `head`, signed. A segment is made once, by its origin, and goes unchanged over any remote and through any
// hands.
struct Segment {
  OriginId origin{};
  std::int64_t first = 1;
  std::string prev;  // the chain before `first`: 32 bytes, empty when first is 1
  Digest head{};     // the chain behind the last event
  PublicKey key{};
  std::optional<Signature> signature;  // none only from a database file whose tail was never published
  std::vector<LogEvent> events;
  std::int64_t last() const { return first + static_cast<std::int64_t>(events.size()) - 1; }
};

// Limits that make and check of segments share.
constexpr size_t max_segment_events = 1000;
constexpr size_t max_segment_bytes = size_t{1} << 20;  // of bodies; one event may be larger than its share
constexpr size_t max_body_bytes = size_t{256} * 1024;
constexpr std::int64_t max_sequence = (std::int64_t{1} << 40) - 1;

// One step of the chain: BLAKE2b-256 of "explog1", origin, sequence, the chain before (empty before the first
// event), id, kind, version, time and the body's BLAKE2b-256; numbers as 8 bytes, highest first.
Digest chain_step(const OriginId& origin, std::int64_t seq, std::string_view prev, const LogEvent& event);

// What is signed: "explog1-batch", origin, first, last, head.
std::string signed_text(const Segment& segment);
void sign_segment(Segment& segment, const KeySeed& seed);

// Why a segment cannot be what its origin made: bad numbers, sizes or text, a chain that does not lead to
// `head`, a signature that does not hold. Nothing when it is sound.
std::optional<std::string> fault_of(const Segment& segment);

}  // namespace explog
