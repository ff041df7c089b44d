#include "model/single_changes.h"

#include <algorithm>

#include "base/text.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

constexpr double decisive = 1.05;  // below it a difference may be noise

// How many moves there are from each value.
std::size_t moves_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::size:
      return 2;
    case Parameter::Kind::flag:
      return 1;
    case Parameter::Kind::variant:
      return parameter.values.size();
    default:
      return 0;
  }
}

// A setting as a record keeps it; long text (compiler flags) is cut.
Scalar setting(const Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? Scalar(ellipsis(*text, 200)) : value;
}

Cause cause_of(Trial::State state) {
  switch (state) {
    case Trial::State::build_failed:
      return Cause::compile_error;
    case Trial::State::wrong_values:
      return Cause::wrong_values;
    case Trial::State::timed_out:
      return Cause::timeout;
    default:
      return Cause::launch_error;
  }
}

void set_outcome(Experience& e, const Trial& before, const Trial& after) {
  e.latency_before_ms = before.ms;
  if (after.state == Trial::State::valid) {
    e.latency_after_ms = after.ms;
    double gain = before.ms / after.ms;
    e.outcome = word(gain >= decisive       ? Outcome::success
                     : gain <= 1 / decisive ? Outcome::failure
                                            : Outcome::neutral);
    return;
  }
  e.outcome = word(Outcome::failure);
  e.cause = word(cause_of(after.state));
}

}  // namespace

// Doubles to the smallest listed value of at least twice as much, halves to the largest of at most half. Zero
// and below stand for "off" or "automatic" and are neither.
MeasuredSpace::Steps MeasuredSpace::steps_of(const Parameter& parameter) {
  if (parameter.kind != Parameter::Kind::size) return {};
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (std::uint32_t i = 0; i < parameter.values.size(); ++i) {
    double value = *as_number(parameter.values[i]);
    if (value > 0) sorted.emplace_back(value, i);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> none(parameter.values.size(), no_value);
  Steps steps{none, none};
  for (const auto& [value, number] : sorted) {
    auto above = std::lower_bound(sorted.begin(), sorted.end(), std::pair(2 * value, std::uint32_t{0}));
    if (above != sorted.end()) steps.up[number] = above->second;
    auto below = std::upper_bound(sorted.begin(), sorted.end(), std::pair(value / 2, no_value));
    if (below != sorted.begin()) steps.down[number] = std::prev(below)->second;
  }
  return steps;
}

std::string_view MeasuredSpace::key(const std::uint32_t* values) const {
  return {reinterpret_cast<const char*>(values), space.parameters.size() * sizeof(std::uint32_t)};
}

void MeasuredSpace::add(std::span<const std::uint32_t> values, Trial trial) {
  numbers_.insert(numbers_.end(), values.begin(), values.end());
  trials_.push_back(trial);
}

void MeasuredSpace::finish() {
  space.settle();
  for (const Parameter& parameter : space.parameters) steps_.push_back(steps_of(parameter));
  index_.reserve(rows());
  for (std::uint32_t row = 0; row < rows(); ++row) {
    bool added = index_.emplace(key(&numbers_[row * space.parameters.size()]), row).second;
    if (!added) trials_[row].state = Trial::State::unusable;
    repeated_ += added ? 0 : 1;
  }
}

// The value the current parameter moves to in the current step, or no_value.
std::uint32_t MeasuredSpace::target_number(std::string& move) const {
  const Parameter& parameter = space.parameters[parameter_];
  std::uint32_t now = number(base_, parameter_);
  if (parameter.kind == Parameter::Kind::size) {
    move = step_ == 0 ? "up" : "down";
    return step_ == 0 ? steps_[parameter_].up[now] : steps_[parameter_].down[now];
  }
  bool flag = parameter.kind == Parameter::Kind::flag;
  auto other = static_cast<std::uint32_t>(flag ? 1 - now : step_);
  if (other == now) return no_value;
  const Scalar& value = parameter.values[other];
  move = !flag ? "to" + scalar_text(value) : *as_number(value) == 1 ? "on" : "off";
  return other;
}

std::optional<SingleChange> MeasuredSpace::try_move() {
  std::string move;
  std::uint32_t to = target_number(move);
  if (to == no_value) return std::nullopt;
  std::size_t width = space.parameters.size();
  auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(base_ * width);
  scratch_.assign(first, first + static_cast<std::ptrdiff_t>(width));
  scratch_[parameter_] = to;
  auto it = index_.find(key(scratch_.data()));
  if (it == index_.end() || trials_[it->second].state == Trial::State::unusable) return std::nullopt;
  return SingleChange{base_, it->second, parameter_, std::move(move)};
}

void MeasuredSpace::advance() {
  if (++step_ < moves_of(space.parameters[parameter_])) return;
  step_ = 0;
  if (++parameter_ < space.parameters.size()) return;
  parameter_ = 0;
  ++base_;
}

std::optional<SingleChange> MeasuredSpace::next() {
  while (base_ < rows() && !space.parameters.empty()) {
    if (trials_[base_].state != Trial::State::valid) {
      ++base_;
      continue;
    }
    auto change = moves_of(space.parameters[parameter_]) > 0 ? try_move() : std::nullopt;
    advance();
    if (change) return change;
  }
  return std::nullopt;
}

Experience experience_of(const MeasuredSpace& measured, const SingleChange& change) {
  const std::vector<Parameter>& parameters = measured.space.parameters;
  const Parameter& changed = parameters[change.parameter];
  Experience e;
  e.strategy = canonical_strategy(changed.shared + ":" + change.move);
  e.params = {{"name", changed.name},
              {"from", setting(measured.value(change.base, change.parameter))},
              {"to", setting(measured.value(change.target, change.parameter))}};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto number = as_number(measured.value(change.base, i));
    if (number && parameters[i].kind != Parameter::Kind::context)
      add_named(e.state, parameters[i].shared, *number);
  }
  set_outcome(e, measured.trial(change.base), measured.trial(change.target));
  return e;
}

}  // namespace explog
