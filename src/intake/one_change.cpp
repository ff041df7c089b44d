#include "intake/one_change.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "intake/common.h"
#include "intake/parameter_names.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr double decisive = 1.05;     // below it a difference may be noise
constexpr size_t most_variants = 64;  // more alternatives are no variants but labels

std::string label(const Scalar& value) {
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";  // Python takes True for 1
  return "\"" + std::get<std::string>(value);
}

// A flag and a number as a number; text has none.
std::optional<double> as_number(const Scalar& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? std::optional<double>(*number) : std::nullopt;
}

Axis::Kind kind_of(const Axis& axis) {
  if (axis.kind == Axis::Kind::context) return axis.kind;
  if (axis.values.size() < 2) return Axis::Kind::fixed;
  bool numbers = true, bits = true;
  for (const Scalar& value : axis.values) {
    auto number = as_number(value);
    numbers &= number.has_value();
    bits &= number && (*number == 0 || *number == 1);
  }
  if (bits) return Axis::Kind::flag;
  if (numbers && !is_variant_number(axis.shared)) return Axis::Kind::size;
  return axis.values.size() <= most_variants ? Axis::Kind::variant : Axis::Kind::fixed;
}

// Doubles to the smallest listed value of at least twice as much, halves to the largest of at most half. Zero
// and below stand for "off" or "automatic" and are neither.
void link_sizes(Axis& axis) {
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (std::uint32_t i = 0; i < axis.values.size(); ++i) {
    double value = *as_number(axis.values[i]);
    if (value > 0) sorted.emplace_back(value, i);
  }
  std::sort(sorted.begin(), sorted.end());
  axis.up.assign(axis.values.size(), no_value);
  axis.down.assign(axis.values.size(), no_value);
  for (const auto& [value, number] : sorted) {
    auto above = std::lower_bound(sorted.begin(), sorted.end(), std::pair(2 * value, std::uint32_t{0}));
    if (above != sorted.end()) axis.up[number] = above->second;
    auto below = std::upper_bound(sorted.begin(), sorted.end(), std::pair(value / 2, no_value));
    if (below != sorted.begin()) axis.down[number] = std::prev(below)->second;
  }
}

size_t moves_of(const Axis& axis) {
  switch (axis.kind) {
    case Axis::Kind::size:
      return 2;
    case Axis::Kind::flag:
      return 1;
    case Axis::Kind::variant:
      return axis.values.size();
    default:
      return 0;
  }
}

// A setting as a record keeps it; long text (compiler flags) is cut.
Scalar setting(const Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? Scalar(ellipsis(*text, 200)) : value;
}

void judge(const Measured& before, const Measured& after, Experience& e) {
  e.latency_before_ms = before.ms;
  if (after.state == Measured::State::valid) {
    e.latency_after_ms = after.ms;
    double gain = before.ms / after.ms;
    e.outcome = gain >= decisive ? "success" : gain <= 1 / decisive ? "failure" : "neutral";
    return;
  }
  e.outcome = "failure";
  e.cause = after.state == Measured::State::build_failed ? "compile_error" : "launch_error";
}

}  // namespace

std::uint32_t Axis::number_of(const Scalar& value) {
  auto [it, added] = numbers_.try_emplace(label(value), static_cast<std::uint32_t>(values.size()));
  if (added) values.push_back(value);
  return it->second;
}

std::string_view Space::key(const std::uint32_t* values) const {
  return {reinterpret_cast<const char*>(values), axes.size() * sizeof(std::uint32_t)};
}

void Space::add(std::span<const std::uint32_t> values, Measured measured) {
  values_.insert(values_.end(), values.begin(), values.end());
  measured_.push_back(measured);
}

void Space::finish() {
  for (Axis& axis : axes) {
    axis.kind = kind_of(axis);
    if (axis.kind == Axis::Kind::size) link_sizes(axis);
  }
  index_.reserve(rows());
  for (std::uint32_t row = 0; row < rows(); ++row) {
    bool added = index_.emplace(key(&values_[row * axes.size()]), row).second;
    if (!added) measured_[row].state = Measured::State::unusable;
    repeated_ += added ? 0 : 1;
  }
}

// The value the current axis moves to in the current step, or no_value.
std::uint32_t Space::target_value(std::string& move) const {
  const Axis& axis = axes[axis_];
  std::uint32_t now = value(base_, axis_);
  if (axis.kind == Axis::Kind::size) {
    move = step_ == 0 ? "up" : "down";
    return step_ == 0 ? axis.up[now] : axis.down[now];
  }
  auto other = static_cast<std::uint32_t>(axis.kind == Axis::Kind::flag ? 1 - now : step_);
  if (other == now) return no_value;
  if (axis.kind == Axis::Kind::flag) {
    move = *as_number(axis.values[other]) == 1 ? "on" : "off";
  } else {
    const auto* text = std::get_if<std::string>(&axis.values[other]);
    move = "to" + (text != nullptr ? *text : label(axis.values[other]));
  }
  return other;
}

std::optional<Change> Space::try_move() {
  std::string move;
  std::uint32_t to = target_value(move);
  if (to == no_value) return std::nullopt;
  auto first = values_.begin() + static_cast<std::ptrdiff_t>(base_ * axes.size());
  scratch_.assign(first, first + static_cast<std::ptrdiff_t>(axes.size()));
  scratch_[axis_] = to;
  auto it = index_.find(key(scratch_.data()));
  if (it == index_.end() || measured_[it->second].state == Measured::State::unusable) return std::nullopt;
  return Change{base_, it->second, axis_, std::move(move)};
}

void Space::advance() {
  if (++step_ < moves_of(axes[axis_])) return;
  step_ = 0;
  if (++axis_ < axes.size()) return;
  axis_ = 0;
  ++base_;
}

std::optional<Change> Space::next() {
  while (base_ < rows() && !axes.empty()) {
    if (measured_[base_].state != Measured::State::valid) {
      ++base_;
      continue;
    }
    auto change = moves_of(axes[axis_]) > 0 ? try_move() : std::nullopt;
    advance();
    if (change) return change;
  }
  return std::nullopt;
}

void name_axes(std::vector<Axis>& axes) {
  std::set<std::string> taken;
  for (Axis& axis : axes) {
    for (const std::string& name : {shared_parameter_name(axis.name), lower(axis.name), axis.name}) {
      axis.shared = name;
      if (taken.insert(name).second) break;
    }
  }
}

Experience experience_of(const Space& space, const Change& change) {
  const Axis& axis = space.axes[change.axis];
  Experience e;
  e.strategy = canonical_strategy(axis.shared + ":" + change.move);
  e.params = {{"name", axis.name},
              {"from", setting(space.scalar(change.base, change.axis))},
              {"to", setting(space.scalar(change.target, change.axis))}};
  for (size_t i = 0; i < space.axes.size(); ++i) {
    auto number = as_number(space.scalar(change.base, i));
    if (number && space.axes[i].kind != Axis::Kind::context)
      add_named(e.state, space.axes[i].shared, *number);
  }
  judge(space.measured(change.base), space.measured(change.target), e);
  return e;
}

}  // namespace explog::intake
