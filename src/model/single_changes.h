// Changes of one parameter inside a measured space: from each configuration that ran to those that differ in
// one value. Sizes are doubled and halved, flags flipped, variants exchanged.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/experience.h"
#include "model/space.h"

namespace explog {

// What is known of one configuration.
struct Trial {
  enum class State { valid, build_failed, launch_failed, wrong_values, timed_out, unusable };
  State state = State::unusable;
  double ms = 0;
  double noise = -1;  // relative, when known
};

struct SingleChange {
  std::size_t base = 0, target = 0;  // rows of the measured space
  std::size_t parameter = 0;
  std::string move;  // "up", "off", "towarp"
};

// The number of no value.
constexpr std::uint32_t no_value = UINT32_MAX;

class MeasuredSpace {
 public:
  Space space;  // may grow until finish()

  // One row: the numbers of a configuration's values, and what came of it.
  void add(std::span<const std::uint32_t> values, Trial trial);
  // Settles the space and indexes the rows; call it once, after the last add. Of rows with the same values
  // the first counts.
  void finish();

  std::size_t rows() const { return trials_.size(); }
  std::size_t repeated() const { return repeated_; }
  const Trial& trial(std::size_t row) const { return trials_[row]; }
  std::uint32_t number(std::size_t row, std::size_t parameter) const {
    return numbers_[row * space.parameters.size() + parameter];
  }
  const Scalar& value(std::size_t row, std::size_t parameter) const {
    return space.parameters[parameter].values[number(row, parameter)];
  }

  // The next change whose target was tried, or nothing at the end.
  std::optional<SingleChange> next();

 private:
  struct Steps {  // of a size: the number of a value -> that of the doubled, of the halved
    std::vector<std::uint32_t> up, down;
  };
  static Steps steps_of(const Parameter& parameter);
  std::string_view key(const std::uint32_t* values) const;
  std::optional<SingleChange> try_move();
  std::uint32_t target_number(std::string& move) const;
  void advance();

  std::vector<std::uint32_t> numbers_;  // row by row
  std::vector<Trial> trials_;
  std::vector<Steps> steps_;  // of each parameter
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::size_t repeated_ = 0;
  std::size_t base_ = 0, parameter_ = 0, step_ = 0;  // where next() goes on
  std::vector<std::uint32_t> scratch_;
};

// The experience of a change: strategy, params, state, latencies and outcome (5 % either way decides). The
// caller adds what its file says about kernel and GPU.
Experience experience_of(const MeasuredSpace& measured, const SingleChange& change);

}  // namespace explog
