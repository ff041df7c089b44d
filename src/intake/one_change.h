// One-variable changes inside a measured search space: from each valid configuration to those that differ in
// one parameter. Sizes are doubled and halved, flags flipped, variants swapped.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/experience.h"

namespace explog::intake {

struct Axis {
  // fixed: has one value only; context: part of the problem, which must be equal on both sides.
  enum class Kind { size, flag, variant, fixed, context };

  std::string name;    // as the file calls it
  std::string shared;  // as records call it; unique within a space
  Kind kind = Kind::size;
  std::vector<Scalar> values;
  std::vector<std::uint32_t> up, down;  // value number -> value number of the doubled, the halved

  // The number of `value`, which is added when it is new.
  std::uint32_t number_of(const Scalar& value);

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// What is known of one configuration.
struct Measured {
  enum class State { valid, build_failed, launch_failed, unusable };
  State state = State::unusable;
  double ms = 0;
  double noise = -1;  // relative, when known
};

struct Change {
  size_t base = 0, target = 0;  // rows
  size_t axis = 0;
  std::string move;  // "up", "off", "towarp"
};

constexpr std::uint32_t no_value = UINT32_MAX;

class Space {
 public:
  std::vector<Axis> axes;

  // One configuration: the numbers of its values, in the order of the axes.
  void add(std::span<const std::uint32_t> values, Measured measured);
  // Sorts out the kinds of axes and indexes the rows; call once, after the last add. Repeated configurations
  // count once.
  void finish();

  size_t rows() const { return measured_.size(); }
  size_t repeated() const { return repeated_; }
  const Measured& measured(size_t row) const { return measured_[row]; }
  std::uint32_t value(size_t row, size_t axis) const { return values_[row * axes.size() + axis]; }
  const Scalar& scalar(size_t row, size_t axis) const { return axes[axis].values[value(row, axis)]; }

  // The next change whose target was tried, or nothing at the end.
  std::optional<Change> next();

 private:
  std::string_view key(const std::uint32_t* values) const;
  std::optional<Change> try_move();
  std::uint32_t target_value(std::string& move) const;
  void advance();

  std::vector<std::uint32_t> values_;
  std::vector<Measured> measured_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  size_t repeated_ = 0;
  size_t base_ = 0, axis_ = 0, step_ = 0;  // where next() goes on
  std::vector<std::uint32_t> scratch_;
};

// Gives every axis a name of its own in records.
void name_axes(std::vector<Axis>& axes);

// The experience of a change: strategy, params, state, latencies and outcome (5 % either way decides). The
// caller adds what the file says about kernel and GPU.
Experience experience_of(const Space& space, const Change& change);

}  // namespace explog::intake
