// Segments of others whose proof was checked: what the store takes in.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/experience.h"
#include "model/log_segment.h"

namespace explog::store {

// A segment that was checked by one of the two functions below, which alone can make one, with its records
// parsed.
class VerifiedSegment {
 public:
  const Segment& segment() const { return segment_; }
  // What event `i` of the segment counts as; nullptr when it is no record, or none that counts here.
  const Experience* record(std::size_t i) const { return records_[i] ? &*records_[i] : nullptr; }

 private:
  explicit VerifiedSegment(Segment segment);
  friend std::variant<VerifiedSegment, struct FaultySegment> verify(Segment, const std::optional<PublicKey>&);
  friend std::variant<VerifiedSegment, struct FaultySegment> verify_from_file(Segment);

  Segment segment_;
  std::vector<std::optional<Experience>> records_;  // one an event
};

struct FaultySegment {
  Segment segment;
  std::string fault;  // why it cannot be what its origin made
};
using Verified = std::variant<VerifiedSegment, FaultySegment>;

// Checks a segment of a remote: its events, its hash chain, and its signature, which must be there. `known`
// is the key that signed for its origin before, when there is one.
Verified verify(Segment segment, const std::optional<PublicKey>& known);

// Checks a segment of a database file that the user named: its end may have no signature yet.
Verified verify_from_file(Segment segment);

}  // namespace explog::store
