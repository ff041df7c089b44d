#include "app/campaign/benchmark.h"

#include "app/campaign/verdict.h"
#include "base/error.h"
#include "bench/harness/source_file.h"

namespace explog::app {
namespace {

campaign::Benchmarked measured_with(const CampaignFolder& folder, const campaign::Version& best,
                                    const std::string& program, const Session& session) {
  campaign::Benchmarked b;
  b.version = best.proposal.version;
  b.with = program;
  try {
    Judged judged = bench_against(folder, best.proposal, program, session);
    campaign::Judged verdict = judged_from(judged.measurement, judged.verdict, best.proposal);
    b.name = judged.measurement.baseline.file;
    b.faster = verdict.faster;
    b.shapes = verdict.shapes;
    if (b.faster.lo <= 0) b.reason = verdict.reason + ": " + verdict.detail;
    if (verdict.gpu != best.judged->gpu)
      b.reason = "it was judged on " + best.judged->gpu + ", and here is " + verdict.gpu;
  } catch (const Error& e) {
    b.reason = e.what();
  }
  return b;
}

}  // namespace

void benchmark_best(CampaignFolder& folder, const Session& session) {
  const campaign::Contract& c = folder.contract();
  if (c.external.given() || c.arch.empty() || folder.state().versions.empty()) return;
  if (!folder.mine())
    throw Error(Exit::usage, "another process works on this campaign", "ask again when it is done");
  const campaign::Version best = folder.version(folder.state().champion);
  if (!best.judged || best.judged->ms <= 0) return;
  for (std::string_view program : {bench::eager_torch, bench::compiled_torch}) {
    const campaign::Benchmarked* known = best.benchmark_with(program);
    if (known != nullptr && known->reason.empty()) continue;
    session.progress("the best version against " + std::string(program));
    folder.append(measured_with(folder, best, std::string(program), session));
  }
}

}  // namespace explog::app
