#include "cli/attempt.h"

#include "base/error.h"
#include "base/text.h"
#include "bench/record.h"
#include "model/check.h"

namespace explog::cli {

using namespace bench;

Measurement named_measurement(const Workbench& bench, const Judgement& j) {
  SourceFile baseline = j.baseline.name.empty() ? bench.file(bench.backend().baseline) : j.baseline;
  Measurement m;
  m.task = j.found.task.name;
  m.task_hash = j.found.hash;
  m.harness = EXPLOG_VERSION;
  m.harness_hash = harness_hash();
  m.baseline = {baseline.name, Builder::hash(baseline)};
  m.candidate = {j.candidate.name, Builder::hash(j.candidate)};
  return m;
}

// The measured part of a measurement gets the names of another.
static void take_names(Measurement& m, const Measurement& named) {
  m.task = named.task;
  m.task_hash = named.task_hash;
  m.harness = named.harness;
  m.harness_hash = named.harness_hash;
  m.baseline = named.baseline;
  m.candidate = named.candidate;
}

Attempted attempt(Workbench& bench, const Judgement& j, const TimingOptions& timing,
                  const std::string& profiler, Context& context, const Progress& progress) {
  std::string compile_error;
  Products products = build_products(bench, j, compile_error, progress);
  Attempted result;
  Measurement& m = result.measurement;
  if (!compile_error.empty()) {
    m.backend = j.backend;
    m.toolkit = bench.builder().toolchain().version;
    m.correctness = "compile_error";
    m.correctness_detail = "the compiler said:\n" + compile_error;
  } else {
    MeasureResult measured = measure_candidate(bench, products, timing, progress);
    m = std::move(measured.measurement);
    result.printed = std::move(measured.check.printed);
  }
  if (!profiler.empty() && m.correctness == "pass") {
    progress("profiling");
    result.profile =
        profile_both(bench, products, profiler == "ncu" ? Profiler::ncu : Profiler::cupti, context);
  }
  take_names(m, named_measurement(bench, j));
  return result;
}

std::vector<std::string> record_attempt(Context& context, const Measurement& m,
                                        std::vector<Experience> experiences) {
  std::vector<store::Draft> drafts = {{Kind::measurement, log_line(m), {}, {}, 0}};
  drafts[0].id = uuid_v8(drafts[0].body);
  for (Experience& e : experiences) {
    e.source = "measurement " + drafts[0].id->text();
    Remarks remarks = prepare(e, "measured");
    if (remarks.refused) throw Error(Exit::usage, "not recorded: " + *remarks.refused);
    for (const std::string& w : remarks.warnings) context.warn(w);
    drafts.push_back({Kind::experience, to_json(e), e, {}, 0});
  }
  store::Store store = context.writer();
  std::vector<std::string> ids;
  for (const store::Appended& appended : store.append(std::move(drafts))) ids.push_back(appended.id.text());
  ids.erase(ids.begin());  // the measurement's
  return ids;
}

}  // namespace explog::cli
