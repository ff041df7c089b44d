#include "bench/self_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "base/text.h"

namespace explog::bench {
namespace {

// A wrong or right answer put together by hand: for output `o` with what is expected of it, the values to
// hand in. Nothing where the task has no such answer.
using Values = std::vector<double>;
using Answer = std::function<std::optional<Values>(const Case&, const Operand&, const Values& expected)>;

// Bits of the precision below the lowest one the task allows: f64 -> f32, f32 -> tf32, tf32 -> bf16, 16 bit
// -> fp8 (e4m3).
int lower_bits(const Task& task) {
  if (task.intermediate == "f64") return 24;
  if (task.intermediate == "tf32") return 8;
  Dtype output = Dtype::f32;
  for (const Argument& a : task.arguments) {
    if (a.is_output()) output = a.dtype;
  }
  bool narrow = output == Dtype::f16 || output == Dtype::bf16 || task.intermediate == "f16" ||
                task.intermediate == "bf16";
  return narrow ? 4 : 11;
}

bool has_float_output(const Task& task) {
  return std::any_of(task.arguments.begin(), task.arguments.end(),
                     [](const Argument& a) { return a.is_output() && is_float(a.dtype); });
}

Values expected_values(const Operand& o, const Expected& e) {
  Values values(o.count);
  for (std::uint64_t i = 0; i < o.count; ++i)
    values[i] = is_float(o.argument->dtype) ? e.values[i] : static_cast<double>(e.integers()[i]);
  return values;
}

std::optional<Values> zeros(const Case&, const Operand& o, const Values&) { return Values(o.count, 0.0); }

std::optional<Values> mean(const Case&, const Operand& o, const Values& expected) {
  if (o.count < 2) return std::nullopt;  // of one element the mean is the answer
  return Values(o.count,
                std::accumulate(expected.begin(), expected.end(), 0.0) / static_cast<double>(o.count));
}

std::optional<Values> one_bad_element(const Case&, const Operand& o, const Values& expected) {
  Values values = expected;
  std::uint64_t at = o.count / 2;
  double size = std::abs(*std::max_element(values.begin(), values.end(),
                                           [](double a, double b) { return std::abs(a) < std::abs(b); }));
  values[at] += 0.1 * std::max({std::abs(values[at]), size, 1e-30});
  if (!is_float(o.argument->dtype)) values[at] = expected[at] + 1;
  return values;
}

class SelfCheck {
 public:
  SelfCheck(Workbench& bench, TrustedProcesses& trusted, const Progress& progress)
      : bench_(bench), trusted_(trusted), progress_(progress) {}

  std::vector<Screen> run() {
    add("zeros", false, zeros);
    add("mean", false, mean);
    add("input copy", false,
        [this](const Case& c, const Operand& o, const Values&) { return input_copy(c, o); });
    add("another seed's answer", false,
        [this](const Case&, const Operand& o, const Values&) { return other_seed(o); });
    add("one bad element", false, one_bad_element);
    add_built(fmt::format("computed with {} bits", lower_bits(bench_.task())), false,
              fmt::format("Rounded<{}>", lower_bits(bench_.task())), false);
    add_built("sums in another order", true, bench_.task().intermediate == "f64" ? "double" : "float", true);
    std::uint64_t secret = secret_seed();
    int number = 0;
    for (const Dims& dims : bench_.task().hidden) {
      for (const std::string& distribution : bench_.task().distributions)
        screen_case({dims, distribution, false}, mix(secret, static_cast<std::uint64_t>(++number)));
    }
    for (Screen& s : screens_) s.applies = s.applies && s.cases > 0;
    return screens_;
  }

 private:
  void add(const std::string& name, bool must_pass, Answer answer) {
    screens_.emplace_back().name = name;
    screens_.back().must_pass = must_pass;
    answers_.push_back(std::move(answer));
  }

  // The task's own reference with another number type; its answers are computed beside the true ones.
  void add_built(const std::string& name, bool must_pass, const std::string& real, bool reversed) {
    add(name, must_pass, nullptr);
    if (!has_float_output(bench_.task())) {
      screens_.back().applies = false;
      variants_.push_back(nullptr);
      return;
    }
    progress_("compiling the reference as " + real);
    Built built = bench_.builder().reference(bench_.file(bench_.task().reference), real, reversed);
    if (!built.ok)
      throw Error(
          Exit::usage,
          "the reference does not compile with real = " + real + ": " + printable(first_error(built.log)),
          "write it with `real`, terms() and the functions of explog_reference.h");
    variants_.push_back(std::make_unique<ReferenceProcess>(bench_.reference_setup(built.path), bench_.task(),
                                                           bench_.folder, bench_.inputs));
  }

  std::optional<Values> input_copy(const Case& c, const Operand& o) const {
    const char* at = bench_.inputs.data();
    for (const Operand& in : c.operands) {
      if (!in.argument->is_input()) continue;
      if (in.count == o.count) {
        Values values(o.count);
        for (std::uint64_t i = 0; i < o.count; ++i) values[i] = element_value(in.argument->dtype, at, i);
        return values;
      }
      at += padded(in.bytes());
    }
    return std::nullopt;
  }

  std::optional<Values> other_seed(const Operand& o) const {
    if (other_.size() != o.count) return std::nullopt;
    return other_;
  }

  // What is expected under another seed; the inputs of the case proper are made afterwards.
  void compute_other_seed(const PlannedCase& planned, std::uint64_t seed) {
    Case c = make_case(bench_.task(), planned.dims, planned.distribution);
    bench_.inputs.reserve(c.input_bytes());
    generate_inputs(c, seed, bench_.inputs.data());
    trusted_.reference.compute(c);
    for (const Operand& o : c.operands) {
      if (!o.argument->is_output()) continue;
      other_ = expected_values(o, trusted_.reference.expected(c)[0]);
      return;
    }
  }

  void screen_case(const PlannedCase& planned, std::uint64_t seed) {
    progress_(fmt::format("screening {} {}", dims_text(planned.dims), planned.distribution));
    compute_other_seed(planned, mix(seed, 1));
    PreparedCase prepared = prepare_case(bench_, trusted_, planned, seed);
    std::size_t variant = 0;
    for (std::size_t i = 0; i < screens_.size(); ++i) {
      ReferenceProcess* built = answers_[i] ? nullptr : variants_[variant++].get();
      if (!screens_[i].applies) continue;
      if (built) built->compute(prepared.problem);
      hand_in(screens_[i], answers_[i], built, prepared);
    }
  }

  // Writes the answer where a candidate's outputs would lie and judges it as one.
  void hand_in(Screen& screen, const Answer& answer, const ReferenceProcess* built,
               const PreparedCase& prepared) {
    const Case& c = prepared.problem;
    bench_.outputs.reserve(slots_bytes(c));
    Slots slots{bench_.outputs.data(), 0};
    std::size_t output = 0;
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      const Operand& o = c.operands[i];
      if (!o.argument->is_output()) continue;
      Values expected = expected_values(o, trusted_.reference.expected(c)[output]);
      std::optional<Values> values =
          built ? expected_values(o, built->expected(c)[output]) : answer(c, o, expected);
      ++output;
      if (!values) return;
      // Where the true answer is the trivial one (all zeros), nothing is to be told apart.
      if (!screen.must_pass && *values == expected) return;
      char* payload = bench_.outputs.data() + (slot_of(c, slots, i) - slots.base) + payload_offset;
      for (std::uint64_t k = 0; k < o.count; ++k)
        store_at(payload, static_cast<Bits>(o.argument->dtype), k, (*values)[k]);
    }
    std::vector<Comparison> errors;
    auto fault = wrong(c, slots, trusted_.reference.expected(c), prepared.baseline, errors);
    ++screen.cases;
    screen.passed += fault ? 0 : 1;
    if (screen.must_pass && fault && screen.detail.empty()) screen.detail = fault->detail;
  }

  Workbench& bench_;
  TrustedProcesses& trusted_;
  const Progress& progress_;
  std::vector<Screen> screens_;
  std::vector<Answer> answers_;
  std::vector<std::unique_ptr<ReferenceProcess>> variants_;  // of the screens without an answer, in order
  Values other_;
};

}  // namespace

bool SelfReport::ok() const {
  return baseline.verdict == CheckVerdict::pass &&
         std::all_of(screens.begin(), screens.end(), [](const Screen& s) { return s.ok(); });
}

SelfReport self_check(Workbench& bench, const Binaries& binaries, const Progress& progress) {
  SelfReport report;
  TrustedProcesses trusted(bench, binaries);
  report.screens = SelfCheck(bench, trusted, progress).run();
  Runner candidate = bench.begin_runner(binaries.candidate);
  report.baseline = check_candidate(bench, trusted, candidate, binaries, progress);
  return report;
}

}  // namespace explog::bench
