// What happened, added up by context: the only thing the recommender reads of the store.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/shared_text.h"
#include "model/experience.h"

namespace explog {

constexpr int unknown_latency = -99;

// A record that was timed in the candidate's own process, not replayed: its tag, and the level that it counts with
// where it says measured.
constexpr std::string_view in_process_tag = "in-process", in_process_level = "in_process";

// Records of one strategy in one situation (one of the table cell, schema/0007_cell_pages.sql).
struct Cell {
  SharedText family, strategy, backend, arch, kernel_type, dtype, bottleneck, level;
  SharedText state;               // feature_key() of the kernel before the change
  SharedText source;              // what it read, or "origin 1a2b3c4d"
  int size = -1;                  // log2 of the product of the shape; -1 not known
  int latency = unknown_latency;  // log2 of the microseconds before the change
  bool reversed = false;
  bool reviewed = true;           // its origin is this database or a team member: its text may be shown
  std::optional<double> decided;  // what each record of the source weighs because the user said so, 0..1
  std::int64_t origin = 0;        // its place among the origins
  std::int64_t quarter = 0;       // year * 4 + quarter
  std::int64_t success = 0, neutral = 0, failure = 0, broken = 0;
  std::int64_t gain_n = 0, gain_sum = 0;     // successes with a speed-up: log2 * 10^4
  std::int64_t loss_n = 0, loss_sum = 0;     // failures with a speed-up
  std::int64_t first_rid = 0, last_rid = 0;  // its oldest and newest record

  std::int64_t n() const { return success + neutral + failure; }
};

// What kernels are compared by: log2 of each fact of the state (0 counts as -1), and of a profile the shares
// of peak (25% is one) and a few launch facts. Sorted by name, at most 32.
Facts features(const Facts& state, const Facts& metrics);
// "block_x=7;unroll=2": features rounded to whole steps; a name that has `=` or `;` is left out.
std::string feature_key(const Facts& features, int step);
Facts parse_feature_key(std::string_view key);
// "7" or "-1" of such a key, quickly; any other number as parse_number() reads it.
std::optional<double> feature_value(std::string_view text);
// parse_feature_key() with names that are views into the key.
std::vector<std::pair<std::string_view, double>> features_in(std::string_view key);

// log2 of a latency in microseconds, rounded; unknown_latency where there is none.
int log2_latency(std::optional<double> milliseconds);

// "block_x" of the strategy "block_x:up"; empty when it has no direction.
std::string_view knob_of(std::string_view strategy);

// The same pair of timings read backwards: a change of a knob that made a kernel faster says that the
// opposite change makes the faster kernel slower. Nothing where direction, values or timings are not known.
std::optional<Experience> reversed(const Experience& e);

// The cells one record counts in: its own, and its mirror image where there is one. The state at its finest.
std::vector<Cell> cells_of(const Experience& e);

}  // namespace explog
