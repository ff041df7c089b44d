#include "app/judge/attempt.h"

#include <algorithm>

#include "base/error.h"
#include "bench/find_task.h"
#include "bench/harness/python_texts.h"
#include "bench/judge/record.h"
#include "model/claim.h"
#include "model/json.h"

namespace explog::app {

using namespace bench;

static void set_compile_error(Measurement& m, const Toolchain& toolchain, const std::string& log) {
  m.backend = toolchain.backend;
  m.toolkit = toolchain.toolkit();
  m.correctness = "compile_error";
  m.correctness_detail = "the compiler said:\n" + log;
}

Attempted attempt(Workbench& bench, const BenchRequest& request, const TimingOptions& timing,
                  const std::string& profiler, const Session& session, const Listener& progress) {
  auto [binaries, compile_error] = build(bench, request, progress);
  Attempted result;
  result.measurement = named_measurement(request);
  if (!compile_error.empty()) {
    set_compile_error(result.measurement, request.toolchain, compile_error);
    return result;
  }
  NeighbourWatch neighbours;
  CheckReport check =
      measure_candidate(result.measurement, bench, binaries, timing, neighbours.listener(progress));
  result.neighbours = neighbours.most();
  result.codes = {code_of_build(binaries.baseline), code_of_build(binaries.candidate)};
  if (result.measurement.runner == "replay")
    result.chosen = text_if_there(binaries.candidate + std::string(chosen_ending));
  if (result.codes.equal())
    result.measurement.warnings.emplace_back(
        "candidate and baseline are the same device code: the change can only be in how the host launches "
        "it");
  result.checked = std::move(check.shapes);
  result.printed = check.printed;
  result.sandbox = check.device.sandbox;
  if (!profiler.empty() && result.measurement.correctness == "pass") {
    progress("profiling");
    result.profile =
        profile_both(bench, binaries, profiler == "ncu" ? Profiler::ncu : Profiler::cupti, session);
  }
  return result;
}

void add_expected(Experience& e, const Facts& expected) {
  if (expected.empty()) return;
  JsonWriter json;
  json.begin_object();
  for (const auto& [metric, percent] : expected) json.field(metric, percent);
  json.end_object();
  e.extra.emplace_back("expected", json.take());
}

void add_chosen(std::vector<Experience>& experiences, const std::string& chosen) {
  for (Experience& e : experiences) {
    for (const auto& setting : chosen_settings(chosen, e.shape)) {
      auto there = [&](const auto& p) { return p.first == setting.first; };
      if (std::none_of(e.params.begin(), e.params.end(), there)) e.params.push_back(setting);
    }
  }
}

// Under a built-in's name anybody can write a task with a slow baseline or a wide tolerance.
static void mark_own_task(Experience& e, const Measurement& m) {
  if (is_built_in(m.task, m.task_hash)) return;
  e.tags.emplace_back("own-task");
  e.notes += "; task " + m.task + " " + m.task_hash + " is not built in";
}

std::vector<std::string> record_attempt(const Session& session, const Measurement& m,
                                        std::vector<Experience> experiences) {
  std::vector<store::Draft> drafts = {store::Draft::of(Kind::measurement, log_line(m))};
  drafts[0].id = uuid_v8(drafts[0].body);
  for (Experience& e : experiences) {
    e.source = "measurement " + drafts[0].id->text();
    mark_own_task(e, m);
    Remarks remarks = prepare(e, "measured");
    if (remarks.refused) throw Error(Exit::usage, "not recorded: " + *remarks.refused);
    for (const std::string& w : remarks.warnings) session.warn(w);
    drafts.push_back(store::Draft::of(e));
  }
  store::Store store = session.writer();
  std::vector<std::string> ids;
  for (const store::Appended& appended : store.append(std::move(drafts))) ids.push_back(appended.id.text());
  ids.erase(ids.begin());  // the measurement's
  return ids;
}

}  // namespace explog::app
