#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "broken.h"
#include "diagnose/diagnose.h"
#include "entry.h"
#include "intake/ncu_csv.h"
#include "targets.h"

namespace explog::fuzz {
namespace {

void check_launch(const Launch& launch) {
  for (std::size_t i = 0; i < launch.metrics.size(); ++i) {
    const auto& [name, value] = launch.metrics[i];
    if (!std::isfinite(value)) broken("not a number", name);
    if (i > 0 && launch.metrics[i - 1].first >= name) broken("metrics not sorted", name);
  }
  if (launch.invocations < 1) broken("launched less than once", launch.kernel);
  if (record_metrics(launch).size() > kept_metrics().size() + launch.rules.size())
    broken("kept more than there is", launch.kernel);
}

void check_diagnosis(const Launch& launch, diagnose::Rules rules) {
  using namespace diagnose;
  Diagnosis d =
      diagnose::diagnose(launch, prefer(peaks_of_launch(launch), peaks_of_arch(launch.arch)), {}, rules);
  constexpr const char* words[] = {"memory", "compute", "latency", "occupancy", "balanced", "unknown"};
  if (std::none_of(std::begin(words), std::end(words), [&](const char* w) { return d.label.word == w; }))
    broken("no such label", d.label.word);
  if (d.label.why.empty()) broken("a label without a reason", d.label.word);
  if (d.confidence != "high" && d.confidence != "medium" && d.confidence != "low")
    broken("no such confidence", d.confidence);
  double sum = 0;
  for (const Stall& stall : d.stalls) sum += stall.share;
  if (!(sum <= 1.0001)) broken("stalls beyond all time", launch.kernel);
  for (const auto* list : {&d.findings.found, &d.findings.suppressed}) {
    for (const Finding& f : *list) {
      if (f.text.empty() || f.evidence.empty()) broken("a finding without figures", f.rule);
    }
  }
}

}  // namespace

// Whatever is read can be diagnosed, and nothing but Error is thrown.
void fuzz_ncu(std::string_view data) {
  try {
    intake::NcuFile file = intake::parse_ncu(data, "fuzz.csv");
    if (file.launches.empty()) broken("neither launches nor an error", "");
    for (std::size_t i = 0; i < std::min<std::size_t>(file.launches.size(), 50); ++i) {
      check_launch(file.launches[i]);
      for (auto rules : {diagnose::Rules::nsight, diagnose::Rules::tilegym, diagnose::Rules::kernel_opt})
        check_diagnosis(file.launches[i], rules);
    }
    std::size_t launches = 0, expected = 0;
    for (const KernelProfile& kernel : kernels_of(file.launches)) launches += kernel.launches;
    for (const Launch& launch : file.launches) expected += static_cast<std::size_t>(launch.invocations);
    if (launches != expected) broken("launches lost", "");
  } catch (const Error&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_ncu)
