#include "store/verified_segment.h"

#include "model/event.h"
#include "store/effects.h"

namespace explog::store {

VerifiedSegment::VerifiedSegment(Segment segment) : segment_(std::move(segment)) {
  records_.resize(segment_.events.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const LogEvent& e = segment_.events[i];
    if (is_record(static_cast<Kind>(e.kind)) && understood(e.kind, e.version) && !e.redacted)
      records_[i] = countable(e.body);
  }
}

Verified verify(Segment segment, const std::optional<PublicKey>& known) {
  auto fault = fault_of(segment);
  if (!fault && !segment.signature) fault = "it is not signed";
  if (!fault && known && *known != segment.key) fault = "it is signed with another key than its origin's";
  if (fault) return FaultySegment{std::move(segment), *fault};
  return VerifiedSegment(std::move(segment));
}

Verified verify_from_file(Segment segment) {
  if (auto fault = fault_of(segment)) return FaultySegment{std::move(segment), *fault};
  return VerifiedSegment(std::move(segment));
}

}  // namespace explog::store
