#include "app/report/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/records/records.h"
#include "base/date.h"
#include "base/error.h"
#include "base/text.h"
#include "campaign/pages.h"
#include "campaign/rules.h"
#include "model/json.h"
#include "store/devices.h"

namespace explog::app {

using report::Attempt;

namespace {

// In the order in which attempt_in() reads them.
constexpr const char* columns =
    "id, at_ms, kernel_type, kernel, backend, arch, gpu, dtype, shape, bottleneck, strategy, params, "
    "outcome, "
    "cause, level, decision, correctness, campaign, hypothesis, json_extract(body, '$.commit'), "
    "latency_before_ms, latency_after_ms, speedup, speedup_lo, speedup_hi, iteration, "
    "body LIKE '%\"metrics_after\"%'";

Attempt attempt_in(sql::Stmt& row) {
  constexpr std::string Attempt::*texts[] = {
      &Attempt::kernel_type, &Attempt::kernel,   &Attempt::backend,     &Attempt::arch,
      &Attempt::gpu,         &Attempt::dtype,    &Attempt::shape,       &Attempt::bottleneck,
      &Attempt::strategy,    &Attempt::params,   &Attempt::outcome,     &Attempt::cause,
      &Attempt::level,       &Attempt::decision, &Attempt::correctness, &Attempt::campaign,
      &Attempt::hypothesis,  &Attempt::commit};
  constexpr double Attempt::*numbers[] = {&Attempt::before_ms, &Attempt::after_ms, &Attempt::speedup,
                                          &Attempt::lo, &Attempt::hi};
  Attempt a;
  a.id = row.text(0);
  a.at_ms = row.integer(1);
  int at = 2;
  for (auto member : texts) a.*member = row.text(at++);
  for (auto member : numbers) a.*member = row.is_null(at) ? 0 : row.real(at), ++at;
  if (!row.is_null(at)) a.iteration = static_cast<int>(std::clamp(row.real(at), 0.0, 1e6));
  a.profiled = row.integer(at + 1) != 0;
  return a;
}

// "30d" back from the newest record, or a date.
std::int64_t since_ms(const std::string& since, std::int64_t newest) {
  if (since.empty()) return 0;
  if (since.ends_with('d')) {
    auto days = parse_number(std::string_view(since).substr(0, since.size() - 1));
    if (days && *days > 0) return newest - static_cast<std::int64_t>(*days * 86400e3);
  }
  if (auto at = date_ms(since)) return *at;
  throw Error(Exit::usage, "--since: '" + printable(since) + "' is neither days nor a date", "--since 30d");
}

// Those that wait for somebody: first where an end asks for a look, then where a version is wanted.
std::vector<report::OpenCampaign> open_campaigns(const Session& session) {
  std::vector<report::OpenCampaign> list, open;
  for (const std::string& path : campaign_folders(".")) {
    try {
      CampaignFolder folder(path, session);
      const campaign::State& state = folder.state();
      const bool escalated = campaign::is_escalated(state);
      if (state.stop && !escalated) continue;
      (escalated ? list : open)
          .push_back({folder.contract().id, folder.contract().task,
                      std::string(escalated ? state.stop->rule : word(state.phase)), path, state.decided()});
    } catch (const Error& e) {
      session.warn(printable(path) + ": left out: " + e.what());
    }
  }
  list.insert(list.end(), open.begin(), open.end());
  return list;
}

std::vector<report::Machine> machines_of(const std::vector<Attempt>& attempts, const Session& session) {
  std::vector<std::string> gpus;
  for (const Attempt& a : attempts) {
    if (!a.gpu.empty() && std::find(gpus.begin(), gpus.end(), a.gpu) == gpus.end()) gpus.push_back(a.gpu);
  }
  sql::Db db = session.reader();
  std::vector<report::Machine> machines;
  for (const std::string& gpu : gpus) {
    auto c = store::ceilings_of(db, gpu, "");
    if (c) machines.push_back({gpu, c->arch, c->driver, c->toolkit, c->rates});
  }
  return machines;
}

report::Strip strip_of(const std::string& label, const campaign::Faster& f) {
  return {label, f.factor, f.lo, f.hi, label + ": " + campaign::faster_text(f)};
}

report::CampaignVersion version_for_report(const campaign::Version& v, const campaign::State& state) {
  report::CampaignVersion out;
  out.number = v.proposal.version;
  out.name = out.number == 0 ? "baseline" : v.proposal.strategy;
  out.status = v.status ? std::string(word(*v.status)) : "not judged";
  out.hypothesis =
      v.proposal.rationale.empty()
          ? v.proposal.hypothesis
          : v.proposal.hypothesis + (v.proposal.hypothesis.empty() ? "" : ": ") + v.proposal.rationale;
  out.faster.factor = 0;
  if (!v.judged) return out;
  const campaign::Judged& j = *v.judged;
  out.said = j.reason + (j.detail.empty() ? "" : ": " + j.detail.substr(0, 400));
  out.ms = j.correct ? j.ms : 0;
  const campaign::Version& parent = state.versions[static_cast<std::size_t>(v.proposal.parent)];
  if (out.number > 0 && parent.judged) out.from_ms = parent.judged->ms;
  if (j.faster.lo > 0) out.faster = strip_of(out.name, j.faster);
  for (const campaign::ShapeResult& s : j.shapes) out.shapes.push_back(strip_of(s.shape, s.faster));
  for (const campaign::Movement& m : j.expected)
    out.expected.push_back(
        fmt::format("{}: said {:+.1f}%, got {:+.1f}%{}", m.metric, m.said, m.got, m.met ? "" : ", not met"));
  out.records = j.records;
  if (out.number == 0 && v.kept()) out.status = "baseline", out.said = "the original, timed against itself";
  return out;
}

}  // namespace

std::vector<Attempt> attempts_of(const std::string& search, const Session& session) {
  FoundRecords found(search, session);
  found.oldest_first();
  found.watch(session, "reading the records");
  sql::Stmt rows = found.rows(columns, 0);
  std::vector<Attempt> list;
  while (found.next(rows)) list.push_back(attempt_in(rows));
  return list;
}

report::Everything everything(const std::string& since, const Session& session) {
  report::Everything all;
  all.attempts = attempts_of("", session);
  std::int64_t newest = all.attempts.empty() ? 0 : all.attempts.back().at_ms, from = since_ms(since, newest);
  std::erase_if(all.attempts, [&](const Attempt& a) { return a.at_ms < from; });
  all.machines = machines_of(all.attempts, session);
  all.open = open_campaigns(session);
  Playbook playbook = session.playbook();
  for (const Strategy& s : playbook.all()) all.titles[s.id] = s.title;
  return all;
}

report::CampaignView view_for_report(const CampaignFolder& folder) {
  const campaign::Contract& c = folder.contract();
  const campaign::State& state = folder.state();
  report::CampaignView view;
  view.id = c.id;
  view.facts = {{"task", c.task + " (" + c.kernel_type + ", " + c.backend + ", " + c.dtype + ")"},
                {"began", c.created},
                {"rules", std::string(word(c.rules))},
                {"state", state.stop ? "ended: " + state.stop->sentence + " (" + state.stop->rule + ")"
                                     : std::string(word(state.phase))}};
  for (const campaign::Version& v : state.versions) view.versions.push_back(version_for_report(v, state));
  if (!state.versions.empty() && state.versions[0].judged) {
    const campaign::Judged& base = *state.versions[0].judged;
    view.facts.emplace_back("machine", base.gpu + (c.arch.empty() ? "" : ", " + c.arch));
    view.facts.emplace_back("toolkit", base.toolkit + (base.driver.empty() ? "" : ", driver " + base.driver));
    const campaign::Version& best = state.versions[static_cast<std::size_t>(state.champion)];
    view.lead = state.champion == 0 || !best.judged
                    ? "Nothing better than the baseline was found."
                    : fmt::format("v{} is {} of the baseline's speed: from {} to {}.", state.champion,
                                  campaign::faster_text(best.judged->than_baseline),
                                  report::ms_words(base.ms), report::ms_words(best.judged->ms));
  }
  view.champion = state.champion;
  return view;
}

}  // namespace explog::app
