// A judged measurement as what the memory keeps.
#pragma once
#include <string>
#include <vector>

#include "bench/judge/verdict.h"
#include "model/experience.h"

namespace explog::bench {

// The shape that stands for the attempt; nothing when none was timed.
const ShapeVerdict* largest_shape(const Verdict& verdict);

// The attempt the measurement shows, at level `measured`. Latencies, shape and speed-up are those of the
// largest shape; the decision is the verdict's over all shapes. Strategy, state, notes and the like are the
// caller's to add.
Experience experience_of(const Measurement& m, const Verdict& verdict, const Task& task);

// One experience a shape, so that what depends on the size can be learned: outcome and decision are the
// shape's own. A measurement that timed nothing (wrong, does not compile) gives one.
std::vector<Experience> experiences_by_shape(const Measurement& m, const Verdict& verdict, const Task& task);

// The cause of a failure, in a record's words, for the reason of a verdict ("launch_error").
std::string cause_of(const std::string& reason);

// The measurement as one line of the log: where its samples would take more than 128 KiB, each pass keeps its
// median alone, which gives the same verdict.
std::string log_line(const Measurement& m);

}  // namespace explog::bench
