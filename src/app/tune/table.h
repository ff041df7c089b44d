// What the store holds of the configurations of a search: each with its time and interval, and which knob mattered.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "model/measurement.h"
#include "model/tuned.h"

namespace explog::app {

constexpr std::size_t row_digits = 8;  // of a configuration's hash in Tuned::rows

struct MeasuredRow {
  Settings settings;
  Measurement measurement;
};
// What the store holds of a result's configurations, the oldest first; of a result that does not know the hashes of its
// rows, what has the kernel's name and its knobs.
std::vector<MeasuredRow> measured_rows(const Tuned& tuned, const Session& session);

struct TimedRow {
  std::map<std::string, std::string> settings;
  double ms = 0, noise = 0;  // noise: half of its 99% interval, relative
  double lo() const;
  double hi() const;
};
std::string settings_words(const TimedRow& row);  // "BLOCK=128, VEC=4"

// The fastest first; of a configuration that was measured more than once the middle time and the surest of its intervals.
std::vector<TimedRow> timed_rows(const Tuned& tuned, const Session& session);
// The search times lightly: what it does not tell from its fastest is a tie, whatever the order says.
bool is_tie(const TimedRow& row, const TimedRow& fastest);

struct KnobShare {
  std::string knob;
  double share = 0;   // of the variance of log time that it explains alone
  double spread = 1;  // the best time of its slowest value over that of its fastest
};
// Of knobs with more than one value, the largest share first.
std::vector<KnobShare> knob_shares(const Tuned& tuned, const std::vector<TimedRow>& rows);

}  // namespace explog::app
