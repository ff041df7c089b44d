#include "bench/measure.h"

#include <algorithm>

#include "bench/elsewhere.h"
#include "bench/judge/verdict.h"
#include "bench/sanitizer.h"

namespace explog::bench {
namespace {

// Only a gain can be the work of a forged clock or of a sabotaged baseline.
std::optional<Fault> against_keep(Workbench& bench, TrustedProcesses& trusted, const Timing& timing) {
  for (const auto& fault : timing.against) {
    if (fault) return fault;
  }
  return baseline_sabotaged(bench, trusted, timing);
}

std::optional<Fault> fault_of(const Measurement& m, Workbench& bench, TrustedProcesses& trusted,
                              const Timing& timing) {
  if (timing.fault) return timing.fault;
  return judge(m).verdict == Decision::keep ? against_keep(bench, trusted, timing) : std::nullopt;
}

// One more process; false when what it saw decides already. What else runs on the machine slows a baseline down
// too: that is held against the candidate only when a second process sees it as well, which then counts instead of
// the first.
bool add_run(Measurement& m, Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
             const TimingOptions& options, const Progress& progress) {
  m.runs.emplace_back();
  std::optional<Fault> fault;
  for (bool again : {false, true}) {
    Timing timing = time_candidate(bench, trusted, binaries, options, progress);
    m.clock = timing.clock;
    m.sync_inside = timing.sync_inside;
    m.warnings.insert(m.warnings.end(), timing.warnings.begin(), timing.warnings.end());
    m.runs.back() = timing.run;
    fault = fault_of(m, bench, trusted, timing);
    if (again || !fault || fault->reason != sabotage) break;
    progress("the baseline was slower beside the candidate: once more");
  }
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

CheckReport measure_candidate(Measurement& m, Workbench& bench, const Binaries& binaries,
                              const TimingOptions& options, const Progress& progress) {
  TrustedProcesses trusted(bench, binaries);
  CheckReport check = check_candidate(bench, trusted, binaries, progress);
  if (options.sanitizer) sanitize(check, bench, binaries, progress);
  describe_device(m, check.device, bench.builder().toolchain());
  m.warnings = check.warnings;
  m.correctness = check.verdict == CheckVerdict::pass ? "pass" : check.reason;
  m.correctness_detail = (check.verdict == CheckVerdict::cheat ? "cheat: " : "") + check.detail;
  if (m.correctness != "pass") return check;
  if (!add_run(m, bench, trusted, binaries, options, progress)) return check;
  if (judge(m).verdict != Decision::keep) return check;
  for (std::string& line : slower_elsewhere(bench, binaries, progress)) m.warnings.push_back(std::move(line));
  TimingOptions again = options;
  again.verified_calls = std::min(options.verified_calls, 3);  // the first process was watched closely
  add_run(m, bench, trusted, binaries, again, progress);
  return check;
}

}  // namespace explog::bench
