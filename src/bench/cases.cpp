#include "bench/cases.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "bench/judge/hidden_shapes.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

void add_shape_cases(std::vector<PlannedCase>& plan, const Dims& dims,
                     const std::vector<std::string>& distributions, bool timed) {
  for (const std::string& d : distributions) plan.push_back({dims, d, timed});
}

// Timed shapes are large: the first distribution twice and one other, another in each run; or the first alone.
void add_timed_cases(std::vector<PlannedCase>& plan, const Task& task, const Dims& dims, bool once,
                     std::uint64_t pick) {
  const auto& d = task.distributions;
  plan.push_back({dims, d[0], true});
  if (once) return;
  plan.push_back({dims, d[0], true});
  if (d.size() > 1) plan.push_back({dims, d[1 + pick % (d.size() - 1)], true});
}

// As they are in the files, and with some elements in other places, so that nothing is gained by knowing the files.
void add_given_cases(std::vector<PlannedCase>& plan, const Task& task, const std::vector<Dims>& timed) {
  for (const GivenShape& given : task.given) {
    bool is_timed = std::find(timed.begin(), timed.end(), given.dims) != timed.end();
    plan.push_back({given.dims, "given", is_timed, &given, false});
    plan.push_back({given.dims, "stirred", is_timed, &given, true});
  }
}

// Who knows all shapes of a task by heart knows none of these: with the usual inputs and others.
void add_drawn_cases(std::vector<PlannedCase>& plan, const Task& task, const std::vector<Dims>& hidden,
                     bool compiled_for_each, std::uint64_t seed) {
  constexpr std::size_t count = 3;
  const auto& d = task.distributions;
  if (!compiled_for_each) {
    for (const Dims& dims : draw_remainders(hidden, mix(seed, count))) {
      if (!broken_limit(task, dims)) plan.push_back({dims, d[0], false, nullptr, false, true});
    }
  }
  for (const Dims& dims : draw_shapes(hidden, seed, count)) {
    if (broken_limit(task, dims)) continue;
    for (const std::string& distribution : {d[0], d[mix(seed, plan.size()) % d.size()]})
      plan.push_back({dims, distribution, false, nullptr, false, true});
  }
}

// Of what is not given.
const std::string& distribution_of(const PlannedCase& planned, const Task& task) {
  return planned.given ? task.distributions[0] : planned.distribution;
}

// Of what a baseline makes of the inputs that lie there.
RowErrors row_errors(Workbench& bench, TrustedProcesses& trusted, Runner& runner, const std::string& name,
                     const Case& c) {
  RowErrors rows;
  std::string trouble;
  try {
    runner.shape(c, 1);
    runner.input(0, bench.inputs.data());
    runner.call(RunnerArm::baseline, 0, protocol::ones_poison, bench.baseline_outputs.data());
    std::vector<Comparison> errors;
    Slots slots{bench.baseline_outputs.data(), protocol::ones_poison};
    if (auto fault = wrong(c, slots, trusted.reference.expected(c), {}, errors)) trouble = fault->detail;
    for (const Comparison& e : errors) rows.push_back(e.worst_row);
  } catch (const Failed& f) {
    if (f.reason == "out_of_memory")  // what the candidate's process holds, the baseline's cannot have
      throw Failed{f.reason, c.name() + ": no memory is left for the baseline beside the candidate"};
    trouble = c.name() + ": " + f.detail;
  }
  if (trouble.empty()) return rows;
  bool own = &runner == &trusted.own_baseline();
  throw Error(Exit::usage, "the baseline " + name + " fails its own task: " + trouble,
              own ? "correct the baseline or the task; explog check TASK --self says more"
                  : "explog check " + bench.task().name + " " + name + " says more");
}

}  // namespace

PlannedCase timed_case(const Task& task, const Dims& dims) {
  const GivenShape* given = task.given_at(dims);
  return given ? PlannedCase{dims, "stirred", true, given, true}
               : PlannedCase{dims, task.distributions[0], true};
}

std::uint64_t secret_seed() {
  Bytes16 bytes = random_bytes16();
  std::uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof seed);
  return seed;
}

std::vector<Dims> hidden_shapes(const Workbench& bench) {
  for (const Dims& dims : bench.backend().timed) {
    if (auto limit = broken_limit(bench.task(), dims))
      throw Error(Exit::usage, "task " + bench.task().name + ": the timed shape " + dims_text(dims) +
                                   " breaks the task's own limit '" + *limit + "'");
  }
  std::vector<Dims> hidden;
  if (bench.shapes_only) return hidden;
  for (const Dims& dims : bench.task().hidden) {
    if (!broken_limit(bench.task(), dims)) hidden.push_back(dims);
  }
  return hidden;
}

std::vector<PlannedCase> plan_cases(const Workbench& bench, std::uint64_t seed) {
  const Task& task = bench.task();
  const TaskBackend& backend = bench.backend();
  std::vector<Dims> hidden = hidden_shapes(bench);
  std::sort(hidden.begin(), hidden.end(), [](const Dims& a, const Dims& b) { return volume(a) < volume(b); });
  std::vector<PlannedCase> plan;
  for (const Dims& dims : hidden) add_shape_cases(plan, dims, task.distributions, false);
  for (const Dims& dims : backend.timed)
    add_timed_cases(plan, task, dims, bench.timed_once, mix(seed, plan.size()));
  add_given_cases(plan, task, backend.timed);
  // Back down again: a candidate that keeps the first shape's settings shows it here.
  for (auto it = hidden.rbegin(); it != hidden.rend(); ++it)
    plan.push_back({*it, task.distributions[0], false});
  add_drawn_cases(plan, task, hidden, bench.in_python(), mix(seed, plan.size()));
  return plan;
}

std::optional<RowErrors> errors_of_baseline(Workbench& bench, TrustedProcesses& trusted, const Case& c) {
  try {
    return row_errors(bench, trusted, trusted.own_baseline(), bench.backend().baseline, c);
  } catch (const Error&) {
    return std::nullopt;
  }
}

PreparedCase prepare_case(Workbench& bench, TrustedProcesses& trusted, const PlannedCase& planned,
                          std::uint64_t seed) {
  PreparedCase p{make_case(bench.task(), planned.dims, distribution_of(planned, bench.task())), {}};
  if (planned.given) {
    bench.given.put_into(p.problem, *planned.given);
    p.problem.distribution = planned.distribution;
    p.problem.stirred = planned.stirred;
  }
  bench.inputs.reserve(p.problem.input_bytes());
  bench.baseline_outputs.reserve(slots_bytes(p.problem));
  generate_inputs(p.problem, seed, bench.inputs.data());
  trusted.reference.compute(p.problem);
  if (trusted.yardstick && !bench.baseline_passed)
    row_errors(bench, trusted, trusted.baseline(), trusted.baseline_name, p.problem);
  const std::string& own = trusted.yardstick ? bench.backend().baseline : trusted.baseline_name;
  p.baseline = row_errors(bench, trusted, trusted.own_baseline(), own, p.problem);
  if (!planned.given) trusted.errors[p.problem.name()] = p.baseline;
  return p;
}

PreparedCase prepare_timed(Workbench& bench, TrustedProcesses& trusted, const PlannedCase& planned) {
  if (!planned.given) {
    Case c = make_case(bench.task(), planned.dims, planned.distribution);
    auto known = trusted.errors.find(c.name());
    if (known != trusted.errors.end()) return {std::move(c), known->second};
  }
  return prepare_case(bench, trusted, planned, secret_seed());
}

}  // namespace explog::bench
