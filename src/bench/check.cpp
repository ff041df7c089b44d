#include "bench/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "bench/changed_inputs.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

constexpr std::uint64_t poison_a = protocol::ones_poison;

ShapeReport& shape_report(CheckReport& report, const PlannedCase& planned) {
  for (ShapeReport& s : report.shapes) {
    if (s.dims == planned.dims) return s;
  }
  report.shapes.push_back({planned.dims, planned.timed});
  return report.shapes.back();
}

void fill_report(CheckReport& report, const Fault& fault) {
  report.verdict = fault.cheat ? CheckVerdict::cheat : CheckVerdict::fail;
  report.reason = fault.reason;
  report.detail = fault.detail;
}

// Comparisons are of a case's outputs, in their order.
void note_outputs(ShapeReport& report, const Case& c, const std::vector<Comparison>& errors) {
  std::size_t output = 0;
  for (const Operand& o : c.operands) {
    if (!o.argument->is_output() || output >= errors.size()) continue;
    if (report.outputs.size() <= output)
      report.outputs.push_back({o.argument->name, o.argument->dtype, 0, 0, 0, std::nullopt});
    const Comparison& e = errors[output];
    OutputReport& to = report.outputs[output++];
    to.compared += e.compared, to.bad += e.bad;
    to.max_abs = std::max(to.max_abs, e.max_abs);
    if (!to.first && !e.first.empty()) to.first = e.first.front();
  }
}

void note_errors(ShapeReport& report, const Case& c, const std::vector<Comparison>& errors) {
  note_outputs(report, c, errors);
  ++report.cases;
  bool usual = c.distribution == c.task->distributions.front();
  if (usual && !report.usual) report.usual = CheckedErrors{c.dims, 0, 0};
  for (const Comparison& e : errors) {
    if (usual) {
      report.usual->max_abs = std::max(report.usual->max_abs, e.max_abs);
      report.usual->max_rel = std::max(report.usual->max_rel, e.max_rel);
    }
    report.max_abs = std::max(report.max_abs, e.max_abs);
    report.worst_row = std::max(report.worst_row, e.worst_row);
    report.bits_correct = std::min(report.bits_correct, e.bits_correct);
  }
}

// Whether the case is called again with some elements changed: with the usual inputs, and with positive ones, in whose sum a
// missing part is small.
bool is_changed(const PlannedCase& planned, const Task& task) {
  return planned.given || planned.distribution == task.distributions[0] ||
         (planned.distribution == "positive" && !is_exact(task, "positive"));
}

// One case against one runner process that is already up. A shape that was drawn is not in the report: where it went wrong, the
// detail names it.
std::optional<Fault> run_case(Workbench& bench, TrustedProcesses& trusted, Runner& candidate,
                              int allowed_threads, const PlannedCase& planned, std::uint64_t seed,
                              CheckReport& report) {
  PreparedCase prepared;
  try {
    prepared = prepare_case(bench, trusted, planned, seed);
  } catch (const Error&) {
    if (!planned.drawn) throw;
    return std::nullopt;
  }
  ShapeReport unsaid{planned.dims};
  ShapeReport& shape = planned.drawn ? unsaid : shape_report(report, planned);
  candidate.shape(prepared.problem, 1);
  auto fault = verify_case(bench, trusted.reference, candidate, 0, prepared, shape, report.deterministic);
  if (!fault && is_changed(planned, bench.task()))
    fault = verify_changed_element(bench, trusted, candidate, 0, prepared, mix(seed, 2));
  if (!fault) fault = left_thread(candidate, allowed_threads);
  shape.passed = shape.passed && !fault;
  return fault;
}

// Where processors are shared, a thread that goes to sleep may be counted as one at work: it must show in every call.
template <class Call>
std::optional<Fault> works_on(Afterwards seen, const Call& call) {
  std::optional<Fault> fault = worked_on(seen);
  for (int i = 0; i < 6 && fault && !seen.changed; ++i) {
    Afterwards again = call();
    seen.late_ms = std::min(seen.late_ms, again.late_ms);
    seen.changed = again.changed;
    fault = worked_on(seen);
  }
  return fault;
}

void check_ending(Runner& candidate, CheckReport& report) {
  Child::Ending ending = candidate.finish();
  if (ending.left_behind > 0 && report.verdict == CheckVerdict::pass)
    fill_report(report,
                {"process_left", fmt::format("{} processes were left behind", ending.left_behind), true});
}

void fill_report(CheckReport& report, const Failed& failed, const std::string& where) {
  report.verdict = failed.reason == "forged" ? CheckVerdict::cheat : CheckVerdict::crash;
  report.reason = failed.reason;
  report.detail = where.empty() ? failed.detail : where + ": " + failed.detail;
}

// The cases in their order, until one fails: its index, or how many there are.
std::size_t run_cases(Workbench& bench, TrustedProcesses& trusted, Runner& candidate,
                      const Binaries& binaries, const std::vector<PlannedCase>& plan, std::uint64_t secret,
                      CheckReport& report, const Progress& progress) {
  Workbench::greet(candidate);
  report.device = candidate.device();
  int allowed = is_module(binaries.candidate) ? any_threads : trusted.threads();
  std::string where;
  std::size_t at = 0;
  try {
    candidate.load(RunnerArm::candidate, binaries.candidate);
    for (; at < plan.size(); ++at) {
      where = dims_text(plan[at].dims) + " " + plan[at].distribution;
      progress(fmt::format("checking {}/{} {}", at + 1, plan.size(), where));
      auto fault = run_case(bench, trusted, candidate, allowed, plan[at], mix(secret, at), report);
      if (!fault) continue;
      fill_report(report, *fault);
      break;
    }
  } catch (const Failed& f) {
    fill_report(report, f, where);
  }
  check_ending(candidate, report);
  report.printed = candidate.printed();
  return at;
}

// What a reader of the verdict must know about it.
void note_conditions(const Workbench& bench, CheckReport& report) {
  if (report.device.sandbox.find("no ") == 0 || report.device.sandbox.find(", no ") != std::string::npos ||
      report.device.sandbox == "none")
    report.warnings.push_back("candidates are not fully confined on this kernel: sandbox " +
                              report.device.sandbox);
  if (bench.shapes_only)
    report.warnings.emplace_back("shapes only: nothing but the timed shapes was checked");
  if (!bench.task().limits.empty())
    report.warnings.push_back("the task limits the shapes: " + join(bench.task().limits, ", "));
}

// Where a hidden shape went wrong: whether the timed ones are right all the same.
void note_timed_shapes(Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
                       const std::vector<PlannedCase>& plan, std::size_t failed, CheckReport& report,
                       const Progress& progress) {
  std::vector<PlannedCase> timed;
  std::copy_if(plan.begin(), plan.end(), std::back_inserter(timed),
               [](const PlannedCase& p) { return p.timed; });
  CheckReport again;
  Runner candidate = bench.begin_runner(binaries.candidate);
  run_cases(bench, trusted, candidate, binaries, timed, secret_seed(), again, progress);
  if (again.verdict != CheckVerdict::pass) return;
  report.detail = fmt::format(
      "right on the timed shapes, wrong on {}{}: {} (--shapes-only checks no others; \"limits\" in "
      "task.json say which shapes count)",
      dims_text(plan[failed].dims), plan[failed].drawn ? ", drawn at random" : "", report.detail);
}

}  // namespace

std::optional<Fault> worked_on(const Afterwards& after) {
  if (after.changed) return Fault{"work_escaped", "a buffer changed after solve() had returned", true};
  if (after.late_ms <= most_late_ms(after.threads)) return std::nullopt;
  return Fault{
      "thread_left",
      fmt::format("other threads worked {:.2f} ms in the 0.3 ms after solve() had returned", after.late_ms),
      true};
}

std::optional<Fault> left_thread(Runner& runner, int allowed) {
  if (runner.on_host()) {
    if (!runner.works_on()) return std::nullopt;
    return Fault{"thread_left", "threads work on long after solve() has returned", true};
  }
  int threads = runner.lasting_threads(allowed);
  if (threads <= allowed) return std::nullopt;
  return Fault{"thread_left", fmt::format("{} threads run on after solve() returned", threads - allowed),
               true};
}

std::optional<Fault> verify_case(Workbench& bench, const ReferenceProcess& reference, Runner& runner, int set,
                                 const PreparedCase& prepared, ShapeReport& report, bool& deterministic) {
  const Case& c = prepared.problem;
  std::size_t size = slots_bytes(c);
  bench.outputs.reserve(2 * size);
  std::uint64_t poison_b = secret_seed() | 1;
  runner.input(set, bench.inputs.data());
  Afterwards first = runner.call(RunnerArm::candidate, set, poison_a, bench.outputs.data());
  Afterwards second = runner.call(RunnerArm::candidate, set, poison_b, bench.outputs.data() + size);
  for (double ms : {first.launch_ms, second.launch_ms})
    report.launch_ms = report.launch_ms > 0 ? std::min(report.launch_ms, ms) : ms;
  Slots a{bench.outputs.data(), poison_a}, b{bench.outputs.data() + size, poison_b};
  if (auto fault = touched(c, a, bench.inputs.data())) return fault;
  if (auto fault = touched(c, b, bench.inputs.data())) return fault;
  if (auto fault = not_written(c, a, b)) return fault;
  std::vector<Comparison> errors;
  auto fault = wrong(c, a, reference.expected(c), prepared.baseline, errors);
  note_errors(report, c, errors);
  // An element that kept the first poison was skipped if the second call wrote it; else the poison came in as
  // an input.
  if (fault && fault->reason == "unwritten_output") {
    auto other = wrong(c, b, reference.expected(c), prepared.baseline, errors);
    if (other && other->reason == "nan") fault = other;
  }
  if (fault) return fault;
  if (runner.on_host()) {
    Afterwards both{first.threads, std::min(first.late_ms, second.late_ms), first.changed || second.changed};
    fault = works_on(
        both, [&] { return runner.call(RunnerArm::candidate, set, poison_b, bench.outputs.data() + size); });
  }
  if (fault || same_outputs(c, a, b)) return fault;
  if (auto other = wrong(c, b, reference.expected(c), prepared.baseline, errors)) return other;
  // The poison may have shone through, or the kernel is not deterministic: a third run with the first poison
  // tells.
  runner.call(RunnerArm::candidate, set, poison_a, bench.outputs.data() + size);
  if (bench.task().deterministic && same_outputs(c, a, {b.base, poison_a})) {
    runner.call(RunnerArm::candidate, set, poison_b, bench.outputs.data());
    runner.call(RunnerArm::candidate, set, poison_b, bench.outputs.data() + size);
    if (same_outputs(c, {a.base, poison_b}, {b.base, poison_b}))
      return Fault{"unwritten_output",
                   c.name() + ": the result depends on what the outputs or the workspace held before"};
  }
  deterministic = false;
  if (auto other = wrong(c, {b.base, poison_a}, reference.expected(c), prepared.baseline, errors))
    return other;
  if (bench.task().deterministic)
    return Fault{"nondeterministic",
                 c.name() +
                     ": the same inputs gave different results; a race, or atomics that the "
                     "task does not allow (\"deterministic\": false)"};
  return std::nullopt;
}

std::optional<Fault> verify_changed_element(Workbench& bench, TrustedProcesses& trusted, Runner& runner,
                                            int set, const PreparedCase& prepared, std::uint64_t seed) {
  const Case& c = prepared.problem;
  ChangedInputs changed(bench, trusted, prepared, seed);
  std::string name = changed.make();
  if (name.empty()) return std::nullopt;
  bench.outputs.reserve(slots_bytes(c));
  runner.input(set, bench.inputs.data());
  runner.call(RunnerArm::candidate, set, poison_a, bench.outputs.data());
  std::vector<Comparison> errors;
  Slots now{bench.outputs.data(), poison_a}, before{bench.outputs.data() + slots_bytes(c), 0};
  auto fault = wrong(c, now, trusted.reference.expected(c), changed.allowed(), errors, before);
  if (!fault) return fault;
  fault->detail = fmt::format("with two elements of {} changed, {}", name, fault->detail);
  bool kept = std::any_of(errors.begin(), errors.end(), [](const Comparison& e) { return e.kept > 0; });
  // Only what did not follow a change that no imprecise kernel could miss is a result from before.
  if (kept || fault->reason == "unwritten_output") fault->reason = "stale_result", fault->cheat = true;
  return fault;
}

std::string_view word(CheckVerdict verdict) {
  static constexpr std::array<std::string_view, 4> words = {"pass", "fail", "cheat", "crash"};
  return words[static_cast<std::size_t>(verdict)];
}

CheckReport check_candidate(Workbench& bench, TrustedProcesses& trusted, Runner& runner,
                            const Binaries& binaries, const Progress& progress) {
  std::uint64_t secret = secret_seed();
  std::vector<PlannedCase> plan = plan_cases(bench, secret);
  CheckReport report;
  std::size_t ran = run_cases(bench, trusted, runner, binaries, plan, secret, report, progress);
  note_conditions(bench, report);
  bool plain = report.verdict == CheckVerdict::fail || report.verdict == CheckVerdict::crash;
  if (plain && ran < plan.size() && !plan[ran].timed)
    note_timed_shapes(bench, trusted, binaries, plan, ran, report, progress);
  return report;
}

}  // namespace explog::bench
