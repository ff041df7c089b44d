#include "bench/measure.h"

#include <algorithm>

#include "bench/sanitizer.h"
#include "bench/verdict.h"

namespace explog::bench {
namespace {

// One more process; false when what it saw ends the judgement. Only a gain can be a sabotaged baseline's
// work, so that is looked for before a keep alone.
bool add_run(MeasureResult& result, Workbench& bench, Trusted& trusted, const Products& products,
             const TimingOptions& options, const Progress& progress) {
  Timing timing = time_candidate(bench, trusted, products, options, progress);
  Measurement& m = result.measurement;
  m.clock = timing.clock;
  m.sync_inside = timing.sync_inside;
  m.warnings.insert(m.warnings.end(), timing.warnings.begin(), timing.warnings.end());
  m.runs.push_back(timing.run);
  auto fault = timing.fault;
  if (!fault && judge(m).verdict == "keep") fault = baseline_sabotaged(bench, trusted, timing);
  if (fault) set_fault(m, *fault);
  return !fault;
}

}  // namespace

void set_fault(Measurement& m, const Fault& fault) {
  m.correctness = fault.reason;
  m.correctness_detail = (fault.cheat ? "cheat: " : "") + fault.detail;
}

void describe_device(Measurement& m, const Device& device, const Toolchain& toolchain) {
  m.backend = toolchain.backend;
  m.gpu = device.gpu;
  m.arch = device.arch;
  m.driver = device.driver;
  m.toolkit = toolchain.version;
  m.flush_bytes = device.flush_bytes;
}

MeasureResult measure_candidate(Workbench& bench, const Products& products, const TimingOptions& options,
                                const Progress& progress) {
  MeasureResult result;
  Measurement& m = result.measurement;
  Trusted trusted(bench, products);
  result.check = check_candidate(bench, trusted, products, progress);
  if (options.sanitizer) sanitize(result.check, bench, products, progress);
  describe_device(m, result.check.device, bench.builder().toolchain());
  m.warnings = result.check.warnings;
  m.correctness = result.check.verdict == "pass" ? "pass" : result.check.reason;
  m.correctness_detail = (result.check.verdict == "cheat" ? "cheat: " : "") + result.check.detail;
  if (m.correctness != "pass") return result;
  if (!add_run(result, bench, trusted, products, options, progress)) return result;
  if (judge(m).verdict != "keep") return result;
  TimingOptions again = options;
  again.verified_calls = std::min(options.verified_calls, 3);  // the first process was watched closely
  add_run(result, bench, trusted, products, again, progress);
  return result;
}

}  // namespace explog::bench
