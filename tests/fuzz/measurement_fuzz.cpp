#include "model/measurement.h"

#include "bench/verdict.h"
#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// A measurement that is accepted reads back as it was written, and whatever was measured has one of four
// verdicts.
void fuzz_measurement(std::string_view data) {
  try {
    Measurement m = parse_measurement(data);
    std::string written = to_json(m);
    if (to_json(parse_measurement(written)) != written) broken("does not read back", written);
    bench::Verdict v = bench::judge(m);
    bool known =
        v.verdict == "keep" || v.verdict == "revert" || v.verdict == "crash" || v.verdict == "inconclusive";
    if (!known || v.reason.empty()) broken("no verdict", written);
    if (v.verdict == "keep" && (m.correctness != "pass" || !(v.gain_lo > 0)))
      broken("kept without cause", written);
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_measurement)
