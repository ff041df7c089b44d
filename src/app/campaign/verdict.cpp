#include "app/campaign/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/campaign/external.h"
#include "app/campaign/profile.h"
#include "app/records/profiles.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/judge/record.h"
#include "model/backend.h"
#include "model/profile.h"

namespace explog::app {
namespace {

constexpr const char* time_metric = "latency_ms";  // of --expect: no counter

BenchOptions options_for(const CampaignFolder& folder, const campaign::Proposed& proposal, int against) {
  const campaign::Contract& c = folder.contract();
  BenchOptions options;
  options.names = {c.task, folder.file_of(proposal.version), c.backend,
                   c.arch, folder.file_of(against),          c.compiler_flags};
  options.timing.max_seconds = c.limits.shape_s;
  options.timing.allow_in_process = c.allow_in_process;
  bool counters = std::any_of(proposal.expect.begin(), proposal.expect.end(),
                              [](const campaign::Expectation& e) { return e.metric != time_metric; });
  if (counters && backend_named(c.backend).on_gpu) options.profiler = "cupti";
  return options;
}

campaign::Faster faster_by(const bench::Verdict& v) {
  auto unknown = [](const bench::ShapeVerdict& s) { return s.hi <= 0; };  // too few blocks for an interval
  if (v.shapes.empty() || v.gain_hi >= 1 || std::any_of(v.shapes.begin(), v.shapes.end(), unknown)) return {};
  return {1 / (1 - v.gain), 1 / (1 - v.gain_lo), 1 / (1 - v.gain_hi)};
}

campaign::ShapeResult result_of(const bench::ShapeVerdict& s) {
  return {dims_text(s.dims),           s.baseline_ms, s.candidate_ms, {s.speedup, s.lo, s.hi}, s.sol,
          std::string(word(s.status)), s.weight};
}

Facts counters(const std::vector<diagnose::Subject>& profile, Facts Experience::*side) {
  Experience e;
  for (const diagnose::Subject& s : profile) add_profile(e, s);
  return e.*side;
}

double finite_or_less(double error) { return std::isfinite(error) ? error : -1; }

std::vector<campaign::CheckedOutput> outputs_of(const bench::ShapeReport& shape) {
  std::vector<campaign::CheckedOutput> list;
  for (const bench::OutputReport& o : shape.outputs)
    list.push_back(
        {o.name, std::string(dtype_name(o.dtype)), static_cast<std::int64_t>(o.compared),
         static_cast<std::int64_t>(o.bad), finite_or_less(o.max_abs),
         o.first ? fmt::format("[{}]: {:g} instead of {:g}", o.first->index, o.first->got, o.first->want)
                 : ""});
  return list;
}

// The time itself is a counter too: that of the largest shape, as its record has it.
void add_times(Facts& before, Facts& after, const bench::Verdict& verdict) {
  const bench::ShapeVerdict* shape = bench::largest_shape(verdict);
  if (shape == nullptr || shape->hi <= 0) return;
  before.emplace_back(time_metric, shape->candidate_ms * shape->speedup);
  after.emplace_back(time_metric, shape->candidate_ms);
}

campaign::Judged judged_by(const app::Judged& bench, const campaign::Proposed& proposal) {
  campaign::Judged judged = judged_from(bench.measurement, bench.verdict, proposal);
  judged.records = bench.ids;
  for (const bench::ShapeReport& s : bench.checked)
    judged.checked.push_back(
        {dims_text(s.dims), s.timed, s.cases, finite_or_less(s.max_abs), s.passed, outputs_of(s)});
  Facts before = counters(bench.profile, &Experience::metrics_before);
  Facts after = counters(bench.profile, &Experience::metrics_after);
  add_times(before, after, bench.verdict);
  for (const diagnose::Subject& s : bench.profile) {
    if (s.role != "after" || s.launch.metrics.empty()) continue;
    judged.profile = profile_of({&s.launch}, "explog (CUPTI)");
    judged.profile.bound = s.diagnosis.label.word;
  }
  judged.expected = movements(proposal.expect, before, after);
  return judged;
}

// A source that the judge will not take, such as one without solve, is an answer here, and not the user's mistake.
campaign::Judged judged_or_unfit(const BenchOptions& options, const campaign::Proposed& proposal,
                                 const Session& session) try {
  return judged_by(bench_candidate(options, session), proposal);
} catch (const Error& e) {
  if (e.exit != Exit::usage) throw;
  campaign::Judged judged;
  judged.version = proposal.version;
  judged.verdict = "crash", judged.reason = proposal.version == 0 ? "baseline" : "unfit";
  judged.detail = e.what(), judged.correct = false;
  return judged;
}

}  // namespace

RecordFields fields_of(const CampaignFolder& folder, const campaign::Proposed& proposal) {
  RecordFields fields;
  fields.strategy = proposal.strategy;
  fields.hypothesis = proposal.hypothesis;
  fields.notes = proposal.rationale;
  for (const campaign::Expectation& e : proposal.expect) add_named(fields.expected, e.metric, e.percent);
  fields.campaign = folder.contract().id;
  fields.iteration = proposal.version;
  const campaign::Version& parent = folder.state().versions[static_cast<std::size_t>(proposal.parent)];
  if (parent.judged && !parent.judged->records.empty()) fields.parent = parent.judged->records.front();
  fields.new_baseline = true;  // the campaign itself sees to it that its task stays what it was
  return fields;
}

Judged bench_against(const CampaignFolder& folder, const campaign::Proposed& proposal,
                     const std::string& baseline, const Session& session) {
  BenchOptions options = options_for(folder, proposal, 0);
  options.names.baseline = baseline;
  options.timing.sanitizer = false;        // these bytes have passed it
  options.timing.allow_in_process = true;  // nothing is kept by it
  options.profiler.clear();
  return bench_candidate(options, session);
}

campaign::Judged judged_from(const Measurement& m, const bench::Verdict& v,
                             const campaign::Proposed& proposal) {
  campaign::Judged judged;
  judged.version = proposal.version;
  judged.verdict = word(v.verdict), judged.reason = v.reason, judged.detail = v.detail;
  judged.correct = bench::found_right(m);
  judged.faster = faster_by(v);
  for (const bench::ShapeVerdict& s : v.shapes) judged.shapes.push_back(result_of(s));
  judged.ms = over_shapes(judged.shapes, &campaign::ShapeResult::ms);
  judged.gpu = m.gpu, judged.arch = m.arch, judged.driver = m.driver, judged.toolkit = m.toolkit;
  return judged;
}

void refuse_unknown_metrics(const campaign::Contract& contract,
                            const std::vector<campaign::Expectation>& expected) {
  if (contract.external.given()) return;  // what a command of the user's prints is not known before
  std::vector<std::string> known = {time_metric};
  const bool counters = backend_named(contract.backend).on_gpu;
  if (counters) known.insert(known.end(), kept_metrics().begin(), kept_metrics().end());
  for (const campaign::Expectation& e : expected) {
    if (std::find(known.begin(), known.end(), e.metric) != known.end()) continue;
    throw Error(Exit::usage,
                "--expect: " + printable(e.metric) + " is not measured" + did_you_mean(e.metric, known),
                counters ? "latency_ms is the time; counters are those that `diagnose` reads, such as "
                           "dram__bytes_read.sum"
                         : "on the host latency_ms is, and no counter");
  }
}

std::vector<campaign::Movement> movements(const std::vector<campaign::Expectation>& expected,
                                          const Facts& before, const Facts& after) {
  std::vector<campaign::Movement> list;
  for (const campaign::Expectation& e : expected) {
    auto from = fact(before, e.metric), to = fact(after, e.metric);
    if (!from || !to || *from == 0) continue;
    double got = 100 * (*to / *from - 1);
    list.push_back(
        {e.metric, e.percent, got, got * e.percent > 0 && std::abs(got) >= std::abs(e.percent) / 2});
  }
  return list;
}

campaign::Judged verdict_on(const CampaignFolder& folder, const campaign::Proposed& proposal, bool last,
                            const Session& session) {
  if (folder.contract().external.given()) return external_verdict(folder, proposal, session);
  BenchOptions options = options_for(folder, proposal, proposal.parent);
  if (proposal.version == 0) {  // against itself: only whether the machine is as quiet as was agreed
    options.timing.precision = std::max(bench::precision, folder.contract().limits.noise / 2);
    return judged_or_unfit(options, proposal, session);
  }
  options.record = fields_of(folder, proposal);
  options.record_noise = last;
  campaign::Judged judged = judged_or_unfit(options, proposal, session);
  if (proposal.parent == 0) judged.than_baseline = judged.faster;
  if (judged.verdict == "keep" && proposal.parent > 0) {
    BenchOptions against_first = options_for(folder, proposal, 0);
    against_first.timing.sanitizer = false;
    against_first.timing.passed = true;
    against_first.profiler.clear();
    judged.than_baseline = faster_by(bench_candidate(against_first, session).verdict);
  }
  return judged;
}

}  // namespace explog::app
