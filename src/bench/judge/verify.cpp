#include "bench/judge/verify.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>

#include "base/parallel.h"
#include "base/text.h"
#include "model/kernel_type.h"

namespace explog::bench {
namespace {

bool same_bytes(const char* a, const char* b, std::size_t bytes) {
  std::atomic<bool> same = true;
  parallel_for(bytes, std::size_t{4} << 20, [&](std::size_t begin, std::size_t end) {
    if (std::memcmp(a + begin, b + begin, end - begin) != 0) same = false;
  });
  return same;
}

// "y[3][17]": the last dimension apart, as the task's rows are.
std::string element_name(const Operand& o, std::uint64_t index) {
  if (o.row == o.count || o.row == 0) return fmt::format("{}[{}]", o.argument->name, index);
  return fmt::format("{}[{}][{}]", o.argument->name, index / o.row, index % o.row);
}

std::string describe(const Case& c, const Operand& o, const Comparison& result) {
  const BadElement& first = result.first.front();
  return fmt::format("{}: {} is {}, expected {}; {} of {} elements wrong", c.name(),
                     element_name(o, first.index), number_text(first.got), number_text(first.want),
                     result.bad, result.compared);
}

// Whether an element holds the poison that was there before the call: it was not written this time.
bool holds_poison(const Operand& o, const char* slot, std::uint64_t seed, std::uint64_t index) {
  std::size_t size = dtype_bytes(o.argument->dtype), at = payload_offset + index * size;
  for (std::size_t byte = at; byte < at + size; ++byte) {
    if (static_cast<unsigned char>(slot[byte]) != (poison_word(seed, byte / 8) >> (8 * (byte % 8)) & 0xFF))
      return false;
  }
  return true;
}

// The rule of the benchmark that the task is from, where explog's own is kept.
std::optional<Fault> judge_by_benchmark(const Case& c, const Operand& o, const Comparison& result,
                                        const ForeignTolerance& t) {
  double near = 1 - static_cast<double>(result.far) / static_cast<double>(result.compared);
  if (near < t.required_matched_ratio)
    return Fault{"wrong_values",
                 fmt::format("{}: {} of {} elements of {} are further off than the task's tolerance, "
                             "{:.3g} + {:.3g} |r|; {:.3g}% may be",
                             c.name(), result.far, result.compared, o.argument->name, t.max_atol, t.max_rtol,
                             100 * (1 - t.required_matched_ratio)),
                 false, true};
  if (t.max_error_cap && result.max_abs > *t.max_error_cap)
    return Fault{"wrong_values",
                 fmt::format("{}: an element of {} is {:.3g} off; the task's tolerance has the cap {:.3g}",
                             c.name(), o.argument->name, result.max_abs, *t.max_error_cap),
                 false, true};
  return std::nullopt;
}

std::optional<Fault> judge_output(const Case& c, const Operand& o, const Comparison& result,
                                  const Tolerance& t, double baseline_row) {
  if (result.compared != o.count)
    return Fault{"wrong_values",
                 fmt::format("{}: {} of {} elements compared", c.name(), result.compared, o.count)};
  if (result.nan > 0) return Fault{"nan", describe(c, o, result)};
  if (result.bad > 0) return Fault{"wrong_values", describe(c, o, result), false, result.gross == 0};
  double allowed = std::max(2 * baseline_row, t.row_floor);
  if (!t.exact && !c.task->loose && baseline_row >= 0 && result.worst_row > allowed)
    return Fault{
        "wrong_values",
        fmt::format("{}: {} is less precise than the task allows: worst row error {:.2g}, allowed {:.2g} "
                    "(twice the {:.2g} of the task's baseline, or {:.2g})",
                    c.name(), o.argument->name, result.worst_row, allowed, baseline_row, t.row_floor),
        false, true};
  return t.foreign ? judge_by_benchmark(c, o, result, *t.foreign) : std::nullopt;
}

// Compilers and libraries multiply f32 matrices in TF32 unless they are told otherwise, which their authors may not know.
bool is_as_near_as_tf32(const Case& c, const Operand& o, const char* got, const Expected& expected) {
  const std::string family = family_of(c.task->kernel_type);
  if (c.task->intermediate != "f32" || (family != "gemm" && family != "attention" && family != "conv"))
    return false;
  const Comparison result = compare(o, got, expected, tolerance_for(c, o.argument->dtype, "tf32"));
  return result.bad == 0 && result.nan == 0;
}

}  // namespace

std::size_t slots_bytes(const Case& c) {
  std::size_t sum = 0;
  for (const Operand& o : c.operands) sum += o.argument->role == Role::scalar ? 0 : slot_bytes(o);
  return sum;
}

const char* slot_of(const Case& c, const Slots& slots, std::size_t operand) {
  const char* at = slots.base;
  for (std::size_t i = 0; i < operand; ++i) {
    if (c.operands[i].argument->role != Role::scalar) at += slot_bytes(c.operands[i]);
  }
  return at;
}

std::optional<Fault> touched(const Case& c, const Slots& slots, const char* inputs) {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const Operand& o = c.operands[i];
    if (o.argument->role == Role::scalar) continue;
    const char* slot = slot_of(c, slots, i);
    std::uint64_t poison = o.argument->role == Role::in ? 0 : slots.poison;
    if (auto at = guard_damage(o, slot, poison))
      return Fault{"out_of_bounds_write",
                   fmt::format("{}: a write {} bytes {} {}", c.name(),
                               *at < 0 ? -*at : *at - static_cast<std::int64_t>(o.bytes()),
                               *at < 0 ? "before" : "behind the end of", o.argument->name)};
    if (!inputs || !o.argument->is_input()) continue;
    if (o.argument->role == Role::in && !same_bytes(slot + payload_offset, inputs, o.bytes()))
      return Fault{"input_modified", fmt::format("{}: the input {} was changed", c.name(), o.argument->name),
                   true};
    inputs += padded(o.bytes());
  }
  return std::nullopt;
}

std::optional<Fault> not_written(const Case& c, const Slots& a, const Slots& b) {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const Operand& o = c.operands[i];
    if (o.argument->role != Role::out) continue;
    if (std::uint64_t n = unwritten(o, slot_of(c, a, i), a.poison, slot_of(c, b, i), b.poison); n > 0)
      return Fault{"unwritten_output", fmt::format("{}: {} of {} elements of {} were never written", c.name(),
                                                   n, o.count, o.argument->name)};
  }
  return std::nullopt;
}

std::optional<Fault> wrong(const Case& c, const Slots& slots, std::span<const Expected> expected,
                           const RowErrors& baseline, std::vector<Comparison>& errors, const Slots& before) {
  errors.clear();
  std::optional<Fault> fault;
  std::size_t output = 0;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const Operand& o = c.operands[i];
    if (!o.argument->is_output()) continue;
    Tolerance t = tolerance_for(c, o.argument->dtype);
    const char* got = slot_of(c, slots, i) + payload_offset;
    Comparison result =
        compare(o, got, expected[output], t, before.base ? slot_of(c, before, i) + payload_offset : nullptr);
    double baseline_row = output < baseline.size() ? baseline[output] : -1;
    if (!fault && (fault = judge_output(c, o, result, t, baseline_row)) && fault->imprecise &&
        result.bad > 0 && is_as_near_as_tf32(c, o, got, expected[output]))
      fault->detail += R"(; as near as products in TF32, which "intermediate": "tf32" in task.json allows)";
    bool left = fault && o.argument->role == Role::out && !result.first.empty() &&
                holds_poison(o, slot_of(c, slots, i), slots.poison, result.first.front().index);
    if (left) fault->reason = "unwritten_output", fault->imprecise = false;
    errors.push_back(std::move(result));
    ++output;
  }
  return fault;
}

bool same_outputs(const Case& c, const Slots& a, const Slots& b) {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const Operand& o = c.operands[i];
    if (o.argument->is_output() &&
        !same_bytes(slot_of(c, a, i) + payload_offset, slot_of(c, b, i) + payload_offset, o.bytes()))
      return false;
  }
  return true;
}

}  // namespace explog::bench
