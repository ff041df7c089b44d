// The hash chain over each origin's log, and the signed segments that it is handed on in.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/sqlite.h"
#include "model/log_segment.h"

namespace explog::store {

// The chain behind event `seq` of an origin: 32 bytes, empty for 0. Read from the nearest known link before
// it. Throws Error(store) when the log has a hole there.
std::string chain_at(sql::Db& db, std::int64_t origin_no, std::int64_t seq);
void remember_link(sql::Db& db, std::int64_t origin_no, std::int64_t seq, std::string_view hash);
// The same for a segment whose signature was checked; its end may be known without one.
void remember_segment(sql::Db& db, std::int64_t origin_no, const Segment& segment);

// How far an origin's log is covered by signed segments.
std::int64_t signed_to(sql::Db& db, std::int64_t origin_no);

// Whether anybody answers for what an origin's log says: its own signature up to the end, or the user, who has decided
// about the origin. A log out of a file may have been written by whoever had the file.
// In SQL, of a row `o` of origin: 1 or 0.
inline const std::string vouched =
    "(o.trust IN (0, 2, 3) OR "
    "coalesce((SELECT max(seq) FROM main.chain WHERE origin=o.no AND signature IS NOT NULL), 0) >= "
    "coalesce((SELECT max(rid) FROM main.event WHERE rid > o.no << 40 AND rid < (o.no + 1) << 40) - (o.no << "
    "40), 0))";

// The signed segment that holds event `after + 1`, as its origin made it; nothing when there is none.
std::optional<Segment> signed_segment(sql::Db& db, std::int64_t origin_no, std::int64_t after);
// The events from `first` on as a segment without a signature: at most one segment's worth and nothing beyond
// `last`.
Segment unsigned_segment(sql::Db& db, std::int64_t origin_no, std::int64_t first, std::int64_t last);

// Goes through the chain of every origin from its first event on; says what does not fit, a line each.
std::string chain_fault(sql::Db& db);

}  // namespace explog::store
