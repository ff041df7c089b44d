// What the store takes in was verified: the compiler holds that, not a comment.
#include "store/verified_segment.h"

#include <doctest/doctest.h>

#include <type_traits>

#include "signed_log.h"

using namespace explog;
using store::VerifiedSegment;

// Only verify() and verify_from_file() make one.
static_assert(!std::is_default_constructible_v<VerifiedSegment>);
static_assert(!std::is_constructible_v<VerifiedSegment, Segment>);
static_assert(!std::is_convertible_v<Segment, VerifiedSegment>);
static_assert(!std::is_aggregate_v<VerifiedSegment>);

namespace {

std::string fault_in(const Segment& segment, std::optional<PublicKey> known = std::nullopt) {
  auto verified = store::verify(segment, known);
  auto* faulty = std::get_if<store::FaultySegment>(&verified);
  return faulty == nullptr ? "" : faulty->fault;
}

}  // namespace

TEST_CASE("a segment is verified with its records parsed") {
  SignedLog log(1);
  Segment segment = log.experience("tiling")
                        .add(Kind::device, "{}")
                        .add(Kind::experience, "{\"no\":\"experience\"}")
                        .close();
  auto verified = store::verify(segment, segment.key);
  REQUIRE(std::holds_alternative<VerifiedSegment>(verified));
  const auto& sound = std::get<VerifiedSegment>(verified);
  CHECK(sound.segment().last() == 3);
  REQUIRE(sound.record(0) != nullptr);
  CHECK(sound.record(0)->strategy == "tiling");
  CHECK(sound.record(1) == nullptr);
  CHECK(sound.record(2) == nullptr);
}

TEST_CASE("what is wrong with a segment is said, and it stays unverified") {
  SignedLog log(1);
  Segment sound = log.experience("a").experience("b").close();
  CHECK(fault_in(sound).empty());
  PublicKey other{};
  CHECK(fault_in(sound, other) == "it is signed with another key than its origin's");
  Segment changed = sound;
  changed.events[1].body += " ";
  CHECK(fault_in(changed) == "an event was changed (the hash chain does not fit)");
  Segment forged = sound;
  (*forged.signature)[0] ^= 1;
  CHECK(fault_in(forged) == "its signature does not hold");
  Segment bare = sound;
  bare.signature.reset();
  CHECK(fault_in(bare) == "it is not signed");
  Segment empty = sound;
  empty.events.clear();
  CHECK(fault_in(empty) == "it holds no event");
  CHECK(std::holds_alternative<VerifiedSegment>(store::verify_from_file(bare)));
  bare.events[0].body += " ";
  CHECK(std::holds_alternative<store::FaultySegment>(store::verify_from_file(bare)));
}
