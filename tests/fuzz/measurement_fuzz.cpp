#include "model/measurement.h"

#include "bench/judge/verdict.h"
#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// A measurement that is accepted reads back as it was written, and whatever was measured has a verdict
// with its reason.
void fuzz_measurement(std::string_view data) {
  try {
    Measurement m = parse_measurement(data);
    std::string written = to_json(m);
    if (to_json(parse_measurement(written)) != written) broken("does not read back", written);
    bench::Verdict v = bench::judge(m);
    if (v.reason.empty()) broken("a verdict without a reason", written);
    if (v.verdict == bench::Decision::keep && (m.correctness != "pass" || !(v.gain_lo > 0)))
      broken("kept without cause", written);
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_measurement)
