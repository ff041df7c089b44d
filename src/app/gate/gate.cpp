#include "app/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "app/gate/tasks.h"
#include "app/judge/bench.h"
#include "app/judge/check.h"
#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/machine_code.h"
#include "model/backend.h"

namespace explog::app {

using namespace bench;

namespace {

namespace fs = std::filesystem;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Both revisions as files, and the names of what is judged.
struct Trees {
  PrivateFolder folder;
  std::string base, head;
  std::vector<std::string> paths;  // that the globs fit, in head
  std::vector<std::string> gone;   // and in base alone
};

std::string commit_named(const GitRepository& git, const std::string& name, const char* flag) {
  std::string commit = git.commit_of(name);
  if (commit.empty())
    throw Error(Exit::usage, std::string("gate: ") + flag + ": '" + printable(name) + "' is no commit here",
                "`git rev-parse " + printable(name) + "` says what it is");
  return commit;
}

void write_trees(Trees& trees, const GitRepository& git, const Gate& gate, const GateOptions& o) {
  trees.base = trees.folder.path() + "/base", trees.head = trees.folder.path() + "/head";
  std::vector<std::string> before = git.write_tree(gate.base_commit, trees.base, o.tasks);
  trees.paths = git.write_tree(gate.head_commit, trees.head, o.tasks);
  std::sort(before.begin(), before.end());
  std::vector<std::string> now = trees.paths;
  std::sort(now.begin(), now.end());
  std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(trees.gone));
  if (trees.paths.empty())
    throw Error(Exit::usage,
                "gate: no file of " + printable(o.head) + " fits " + printable(join(o.tasks, " ")),
                "schema/formats/gate.md describes such a file; globs are from the repository's root");
}

BenchOptions options_for(const GateTask& task, const Trees& trees, const GateOptions& o) {
  BenchOptions options;
  bool own = fs::exists(trees.head + "/" + task.task);
  options.names = {own ? trees.head + "/" + task.task : task.task,
                   trees.head + "/" + task.kernel,
                   task.backend,
                   o.arch,
                   trees.base + "/" + task.kernel,
                   task.flags};
  options.timing.max_seconds = o.max_seconds;
  options.timing.sanitizer = o.sanitizer;
  return options;
}

// Equal bytes, or equal instructions.
bool is_same_code(const BenchOptions& options, const Session& session) {
  BenchRequest request = read_request(options.names, session);
  if (hash_of(request.candidate) == hash_of(request.baseline)) return true;
  Builder builder(request.toolchain);
  Built base = builder.candidate(request.found.task, request.baseline);
  Built head = builder.candidate(request.found.task, request.candidate);
  if (!base.ok || !head.ok) return false;
  std::string code = machine_code_of_product(base.path);
  return !code.empty() && code == machine_code_of_product(head.path);
}

// Launches of a call and sums over all of them; of the only one, how it was launched and how full it kept the device.
Facts counted(const diagnose::Subject& subject) {
  Facts facts = subject.sums;
  facts.emplace_back("launches", subject.kernels);
  if (subject.kernels != 1) return facts;
  for (const auto& [name, value] : record_metrics(subject.launch)) {
    if (name.starts_with("launch__") || name.find("warps_active") != name.npos)
      facts.emplace_back(name, value);
  }
  return facts;
}

// What was counted of both, the furthest apart first.
std::vector<std::string> moved_counters(const std::vector<diagnose::Subject>& profile) {
  if (profile.size() != 2) return {};
  std::vector<std::pair<double, std::string>> moved;
  Facts all_after = counted(profile[1]);
  for (const auto& [name, before] : counted(profile[0])) {
    auto after = fact(all_after, name);
    if (!after || before <= 0 || name.starts_with("gpu__time")) continue;
    double change = *after / before - 1;
    if (std::abs(change) >= 0.02)
      moved.emplace_back(-std::abs(change), fmt::format("{} {:+.1f}%", name, 100 * change));
  }
  std::sort(moved.begin(), moved.end());
  std::vector<std::string> list;
  for (std::size_t i = 0; i < moved.size() && i < 5; ++i) list.push_back(moved[i].second);
  return list;
}

void explain_slower(GateResult& result, BenchOptions options, const Session& session) {
  if (!backend_named(options.names.backend).on_gpu) return;
  options.profiler = "cupti";
  options.timing.max_seconds = 1;
  options.timing.sanitizer = false;
  try {
    result.counters = moved_counters(bench_candidate(options, session).profile);
  } catch (const Error& e) {
    session.warn(result.name + ": no counters: " + e.what());
  }
}

void judge_pair(GateResult& result, Gate& gate, const BenchOptions& options, const Session& session) {
  Judged judged = bench_candidate(options, session);
  const Measurement& m = judged.measurement;
  gate.gpu = m.gpu, gate.driver = m.driver, gate.toolkit = m.toolkit;
  if (m.correctness != "pass") {
    result.why =
        "head: " + m.correctness + ": " + m.correctness_detail.substr(0, m.correctness_detail.find('\n'));
    return;
  }
  for (const ShapeVerdict& s : judged.verdict.shapes) result.shapes.push_back(gate_shape(s, gate.max_slower));
  result.verdict = worst_of(result.shapes);
  if (result.shapes.empty()) result.why = judged.verdict.reason + ": " + judged.verdict.detail;
  if (result.verdict == GateVerdict::slower) explain_slower(result, options, session);
}

// Of a kernel that only head has nobody can say that it is no slower; it must be right all the same.
void check_new(GateResult& result, CheckOptions options, const Session& session) {
  options.names.baseline = "";
  CheckReport report = check_file(options, session).report;
  if (report.verdict == CheckVerdict::pass) {
    result.verdict = GateVerdict::fresh;
    result.why = "base has no " + result.kernel + ": nothing to compare with";
  } else {
    result.why = "head: " + report.reason + ": " + report.detail.substr(0, report.detail.find('\n'));
  }
}

void judge_task(GateResult& result, Gate& gate, const BenchOptions& options, const Session& session) {
  if (!fs::exists(options.names.baseline))
    return check_new(result, {options.names, options.timing.sanitizer}, session);
  result.same_code = is_same_code(options, session);
  if (result.same_code)
    result.verdict = GateVerdict::same;
  else
    judge_pair(result, gate, options, session);
}

GateResult result_of(const GateTask& task, const Trees& trees, Gate& gate, const GateOptions& o,
                     const Session& session) {
  auto start = std::chrono::steady_clock::now();
  GateResult result;
  result.name = task.name, result.kernel = task.kernel;
  result.why = task.trouble;
  if (result.why.empty() && !fs::exists(trees.head + "/" + task.kernel))
    result.why = "head has no " + task.kernel;
  if (!result.why.empty()) return result;
  BenchOptions options = options_for(task, trees, o);
  try {
    judge_task(result, gate, options, session);
  } catch (const Error& e) {
    if (e.exit == Exit::interrupted) throw;
    result.why = replace_all(replace_all(e.what(), trees.head + "/", "head:"), trees.base + "/", "base:");
    result.base_broken = result.why.find("the baseline ") != std::string::npos;
  }
  result.wall_s = seconds_since(start);
  return result;
}

// A self-test that cannot be made here has found nothing, and the other verdicts are told all the same.
GateSelfTest self_test_of(const GateOptions& o, const std::string& backend, const Session& session) {
  try {
    return gate_self_test(o, backend.empty() ? "host" : backend, session);
  } catch (const Error& e) {
    if (e.exit == Exit::interrupted) throw;
    GateSelfTest test;
    test.why = e.what();
    return test;
  }
}

}  // namespace

std::size_t Gate::count(GateVerdict verdict) const {
  return static_cast<std::size_t>(std::count_if(results.begin(), results.end(),
                                                [&](const GateResult& r) { return r.verdict == verdict; }));
}

int Gate::exit_code() const {
  if (count(GateVerdict::slower) > 0) return static_cast<int>(Exit::negative);
  bool broken =
      std::any_of(results.begin(), results.end(), [](const GateResult& r) { return r.base_broken; });
  if (broken) return static_cast<int>(Exit::crash);
  bool blind = self_test && !self_test->found;
  bool unjudged =
      results.empty() || count(GateVerdict::none) > 0 || (!allow_new && count(GateVerdict::fresh) > 0);
  return static_cast<int>(blind || unjudged ? Exit::inconclusive : Exit::ok);
}

Gate run_gate(const GateOptions& o, const Session& session) {
  auto start = std::chrono::steady_clock::now();
  auto git = GitRepository::around(".");
  if (!git) throw Error(Exit::usage, "gate: this folder is in no git repository, or there is no git");
  Gate gate;
  gate.base = o.base, gate.head = o.head, gate.max_slower = o.max_slower, gate.allow_new = o.allow_new;
  gate.base_commit = commit_named(*git, o.base, "--base"),
  gate.head_commit = commit_named(*git, o.head, "--head");
  Trees trees;
  write_trees(trees, *git, gate, o);
  gate.gone = trees.gone;
  std::string backend = o.backend;
  for (std::size_t i = 0; i < trees.paths.size(); ++i) {
    GateTask task = gate_task_in(trees.head, trees.paths[i], o.backend);
    session.progress(fmt::format("{} of {}: {}", i + 1, trees.paths.size(), task.name));
    GateResult result = result_of(task, trees, gate, o, session);
    if (!result.same_code) gate.timed_s += result.wall_s;
    if (backend.empty()) backend = task.backend;
    gate.results.push_back(std::move(result));
    if (stop_signal() != 0) throw Error(Exit::interrupted, "gate: interrupted; nothing was decided");
  }
  if (o.self_test) gate.self_test = self_test_of(o, backend, session);
  session.progress("");
  gate.wall_s = seconds_since(start);
  return gate;
}

}  // namespace explog::app
