#include "bench/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t poison_a = 0;  // 0xFF everywhere

// "" when the program holds no such file of the task.
std::string embedded_text(const std::string& task, const std::string& file) {
  return std::string(embedded_file("kernels/" + task + "/" + file).value_or(""));
}

FoundTask parse_found(const std::string& text, const std::string& where, const std::string& folder) {
  FoundTask found;
  try {
    found.task = parse_task(text);
  } catch (const JsonError& e) {
    throw Error(Exit::usage, printable(where) + ": " + printable(e.what()),
                "kernels/README.md describes task.json");
  }
  found.folder = folder;
  return found;
}

void add_shape_cases(std::vector<PlannedCase>& plan, const Dims& dims,
                     const std::vector<std::string>& distributions, bool timed) {
  for (const std::string& d : distributions) plan.push_back({dims, d, timed});
}

// Timed shapes are large: the first distribution twice and one other, another in each run.
void add_timed_cases(std::vector<PlannedCase>& plan, const Task& task, const Dims& dims, std::uint64_t pick) {
  const auto& d = task.distributions;
  add_shape_cases(plan, dims, {d[0], d[0]}, true);
  if (d.size() > 1) plan.push_back({dims, d[1 + pick % (d.size() - 1)], true});
}

ShapeReport& shape_report(CheckReport& report, const PlannedCase& planned) {
  for (ShapeReport& s : report.shapes) {
    if (s.dims == planned.dims) return s;
  }
  report.shapes.push_back({planned.dims, planned.timed});
  return report.shapes.back();
}

void fill_report(CheckReport& report, const Fault& fault) {
  report.verdict = fault.cheat ? "cheat" : "fail";
  report.reason = fault.reason;
  report.detail = fault.detail;
}

void note_errors(ShapeReport& report, const std::vector<Comparison>& errors) {
  ++report.cases;
  for (const Comparison& e : errors) {
    report.max_abs = std::max(report.max_abs, e.max_abs);
    report.worst_row = std::max(report.worst_row, e.worst_row);
    report.bits_correct = std::min(report.bits_correct, e.bits_correct);
  }
}

std::optional<Fault> left_thread(int threads, int allowed) {
  if (threads <= allowed) return std::nullopt;
  return Fault{"thread_left", fmt::format("{} threads run on after solve() returned", threads - allowed),
               true};
}

// One case against one runner process that is already up.
std::optional<Fault> run_case(Workbench& bench, Trusted& trusted, Runner& candidate,
                              const PlannedCase& planned, std::uint64_t seed, CheckReport& report) {
  Prepared prepared = prepare_case(bench, trusted, planned, seed);
  ShapeReport& shape = shape_report(report, planned);
  candidate.shape(prepared.problem, 1);
  auto fault = verify_case(bench, trusted.reference, candidate, 0, prepared, shape, report.deterministic);
  bool first = planned.distribution == bench.task().distributions[0];
  if (!fault && first) fault = verify_changed_element(bench, trusted, candidate, 0, prepared, mix(seed, 2));
  if (!fault) {
    int allowed = trusted.baseline.threads();
    fault = left_thread(candidate.lasting_threads(allowed), allowed);
  }
  shape.passed = shape.passed && !fault;
  return fault;
}

void check_ending(Runner& candidate, CheckReport& report) {
  Child::Ending ending = candidate.finish();
  if (ending.left_behind > 0 && report.verdict == "pass")
    fill_report(report,
                {"process_left", fmt::format("{} processes were left behind", ending.left_behind), true});
}

}  // namespace

std::uint64_t secret_seed() {
  Bytes16 bytes = random_bytes16();
  std::uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof seed);
  return seed;
}

std::vector<std::string> embedded_task_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with("kernels/") && file.path.ends_with("/task.json"))
      names.emplace_back(file.path.substr(8, file.path.size() - 8 - 10));
  }
  return names;
}

FoundTask find_task(const std::string& name, const std::string& data_dir) {
  std::error_code ignored;
  for (const std::string& base : {name, data_dir.empty() ? "" : data_dir + "/kernels/" + name}) {
    if (base.empty()) continue;
    fs::path path(base);
    if (fs::is_directory(path, ignored)) path /= "task.json";
    if (!fs::is_regular_file(path, ignored)) continue;
    std::string folder = fs::absolute(path).parent_path().string();
    std::string text = read_file(path.string(), nullptr, std::size_t{1} << 20);
    FoundTask found = parse_found(text, path.string(), folder);
    found.hash = Builder::digest_of(text + read_source(folder + "/" + found.task.reference).text);
    return found;
  }
  std::string text = embedded_text(name, "task.json");
  if (text.empty()) {
    auto names = embedded_task_names();
    throw Error(
        Exit::usage,
        "no task '" + printable(name) + "': neither a file, nor a folder, nor one of " + join(names, ", "),
        "explog task init FILE.cu --dims ... drafts one");
  }
  FoundTask found = parse_found(text, "kernels/" + name + "/task.json", "");
  found.hash = Builder::digest_of(text + embedded_text(name, found.task.reference));
  return found;
}

Workbench::Workbench(Task task, std::string task_folder, const std::string& backend, Toolchain toolchain)
    : task_(std::move(task)),
      task_folder_(std::move(task_folder)),
      backend_(task_.backend(backend)),
      builder_(std::move(toolchain)) {
  if (!backend_)
    throw Error(Exit::usage, "task " + task_.name + " has no backend '" + backend + "'",
                "add it to \"backends\" in task.json");
  runner_ = builder_.runner();
}

SourceFile Workbench::file(const std::string& name) const {
  if (!task_folder_.empty()) return read_source(task_folder_ + "/" + name);
  std::string text = embedded_text(task_.name, name);
  if (text.empty()) throw Error(Exit::usage, "task " + task_.name + " has no file " + printable(name));
  return {name, "", text};
}

RunnerSetup Workbench::setup() const {
  return {runner_, {}, builder_.toolchain().cupti, builder_.toolchain().gpu};
}

Runner Workbench::start_runner(SharedMemory& to, bool use_cupti) const {
  RunnerSetup s = setup();
  s.use_cupti = use_cupti;
  try {
    return Runner(s, folder, inputs, to);
  } catch (const Failed& f) {
    throw Error(Exit::unavailable, "the runner cannot start: " + f.detail,
                f.reason == "no_gpu" ? "use --backend host on a machine without a GPU" : "");
  }
}

std::vector<PlannedCase> plan_cases(const Task& task, const TaskBackend& backend, std::uint64_t seed) {
  std::vector<Dims> hidden = task.hidden;
  std::sort(hidden.begin(), hidden.end(), [](const Dims& a, const Dims& b) { return volume(a) < volume(b); });
  std::vector<PlannedCase> plan;
  for (const Dims& dims : hidden) add_shape_cases(plan, dims, task.distributions, false);
  for (const Dims& dims : backend.timed) add_timed_cases(plan, task, dims, mix(seed, plan.size()));
  // Back down again: a candidate that keeps the first shape's settings shows it here.
  for (auto it = hidden.rbegin(); it != hidden.rend(); ++it)
    plan.push_back({*it, task.distributions[0], false});
  return plan;
}

Trusted::Trusted(Workbench& bench, const Products& products)
    : reference(products.reference, bench.folder, bench.inputs),
      baseline(bench.start_runner(bench.baseline_outputs)) {
  try {
    baseline.load(0, products.baseline);
  } catch (const Failed& f) {
    throw Error(Exit::usage, "the baseline " + bench.backend().baseline + " cannot be loaded: " + f.detail);
  }
}

Prepared prepare_case(Workbench& bench, Trusted& trusted, const PlannedCase& planned, std::uint64_t seed) {
  Prepared p{make_case(bench.task(), planned.dims, planned.distribution), {}};
  bench.inputs.reserve(p.problem.input_bytes());
  bench.baseline_outputs.reserve(slots_bytes(p.problem));
  generate_inputs(p.problem, seed, bench.inputs.data());
  trusted.reference.compute(p.problem);
  std::string trouble;
  try {
    trusted.baseline.shape(p.problem, 1);
    trusted.baseline.input(0, p.problem);
    trusted.baseline.call(0, 0, poison_a, 0);
    std::vector<Comparison> errors;
    Slots slots{bench.baseline_outputs.data(), poison_a};
    if (auto fault = wrong(p.problem, slots, trusted.reference, {}, errors)) trouble = fault->detail;
    for (const Comparison& e : errors) p.baseline.push_back(e.worst_row);
  } catch (const Failed& f) {
    if (f.reason == "out_of_memory")  // what the candidate's process holds, the baseline's cannot have
      throw Failed{f.reason, p.problem.name() + ": no memory is left for the baseline beside the candidate"};
    trouble = p.problem.name() + ": " + f.detail;
  }
  if (!trouble.empty())
    throw Error(Exit::usage, "the baseline " + bench.backend().baseline + " fails its own task: " + trouble,
                "mend the baseline or the task; explog check TASK --self says more");
  return p;
}

std::optional<Fault> verify_case(Workbench& bench, const Reference& reference, Runner& runner, int set,
                                 const Prepared& prepared, ShapeReport& report, bool& deterministic) {
  const Case& c = prepared.problem;
  std::size_t size = slots_bytes(c);
  bench.outputs.reserve(2 * size);
  std::uint64_t poison_b = secret_seed() | 1;
  runner.input(set, c);
  int threads = runner.call(1, set, poison_a, 0);
  runner.call(1, set, poison_b, size);
  Slots a{bench.outputs.data(), poison_a}, b{bench.outputs.data() + size, poison_b};
  if (auto fault = touched(c, a, bench.inputs.data())) return fault;
  if (auto fault = touched(c, b, bench.inputs.data())) return fault;
  if (auto fault = not_written(c, a, b)) return fault;
  std::vector<Comparison> errors;
  auto fault = wrong(c, a, reference, prepared.baseline, errors);
  note_errors(report, errors);
  // An element that kept the first poison was skipped if the second call wrote it; else the poison came in as
  // an input.
  if (fault && fault->reason == "unwritten_output") {
    auto other = wrong(c, b, reference, prepared.baseline, errors);
    if (other && other->reason == "nan") fault = other;
  }
  if (fault) return fault;
  if (bench.builder().toolchain().backend == "host")
    fault = left_thread(threads, runner.threads_before_load());
  if (fault || same_outputs(c, a, b)) return fault;
  if (auto second = wrong(c, b, reference, prepared.baseline, errors)) return second;
  // The poison may have shone through, or the kernel is not deterministic: a third run with the first poison
  // tells.
  runner.call(1, set, poison_a, size);
  if (bench.task().deterministic && same_outputs(c, a, {b.base, poison_a})) {
    runner.call(1, set, poison_b, 0);
    runner.call(1, set, poison_b, size);
    if (same_outputs(c, {a.base, poison_b}, {b.base, poison_b}))
      return Fault{"unwritten_output",
                   c.name() + ": the result depends on what the outputs or the workspace held before"};
  }
  deterministic = false;
  if (auto second = wrong(c, {b.base, poison_a}, reference, prepared.baseline, errors)) return second;
  if (bench.task().deterministic)
    return Fault{"nondeterministic",
                 c.name() +
                     ": the same inputs gave different results; a race, or atomics that the "
                     "task does not allow (\"deterministic\": false)"};
  return std::nullopt;
}

std::optional<Fault> verify_changed_element(Workbench& bench, Trusted& trusted, Runner& runner, int set,
                                            const Prepared& prepared, std::uint64_t seed) {
  const Case& c = prepared.problem;
  std::vector<std::pair<std::size_t, char*>> inputs;
  char* at = bench.inputs.data();
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    if (!c.operands[i].argument->is_input()) continue;
    inputs.emplace_back(i, at);
    at += padded(c.operands[i].bytes());
  }
  if (inputs.empty()) return std::nullopt;
  auto [operand, data] = inputs[mix(seed, 0) % inputs.size()];
  fill_at(data, fill_order(c, operand, seed), mix(seed, 1) % c.operands[operand].count);
  trusted.reference.compute(c);
  bench.outputs.reserve(slots_bytes(c));
  runner.input(set, c);
  runner.call(1, set, poison_a, 0);
  std::vector<Comparison> errors;
  RowErrors allowed = prepared.baseline;
  for (double& row : allowed) row *= 1.5;  // the baseline's error is that of the unchanged inputs
  auto fault = wrong(c, {bench.outputs.data(), poison_a}, trusted.reference, allowed, errors);
  if (fault && !fault->imprecise)
    return Fault{
        "stale_result",
        fmt::format("with one element of {} changed, {}", c.operands[operand].argument->name, fault->detail),
        true};
  return fault;
}

CheckReport check_candidate(Workbench& bench, Trusted& trusted, const Products& products,
                            const Progress& progress) {
  CheckReport report;
  Runner candidate = bench.start_runner(bench.outputs);
  report.device = candidate.device();
  if (report.device.sandbox == "none")
    report.warnings.push_back("no Landlock on this kernel: candidates are not confined");
  std::uint64_t secret = secret_seed();
  std::vector<PlannedCase> plan = plan_cases(bench.task(), bench.backend(), secret);
  try {
    candidate.load(1, products.candidate);
    for (std::size_t i = 0; i < plan.size() && report.verdict == "pass"; ++i) {
      progress(fmt::format("checking {}/{} {} {}", i + 1, plan.size(), dims_text(plan[i].dims),
                           plan[i].distribution));
      if (auto fault = run_case(bench, trusted, candidate, plan[i], mix(secret, i), report))
        fill_report(report, *fault);
    }
  } catch (const Failed& f) {
    report.verdict = f.reason == "forged" ? "cheat" : "crash";
    report.reason = f.reason;
    report.detail = f.detail;
  }
  check_ending(candidate, report);
  report.printed = candidate.printed();
  return report;
}

}  // namespace explog::bench
