#include <algorithm>
#include <cmath>

#include "answers/answer.h"
#include "answers/campaign.h"
#include "answers/campaign_lines.h"
#include "answers/rows.h"
#include "base/date.h"
#include "base/text.h"
#include "campaign/rules.h"

namespace explog::answers {
namespace {

void write_faster(JsonWriter& json, const char* key, const campaign::Faster& faster) {
  json.key(key);
  if (faster.lo <= 0) return json.null();
  json.begin_object();
  json.field("faster", faster.factor), json.field("lo", faster.lo), json.field("hi", faster.hi);
  json.end_object();
}

// The first lines of what a compiler or checker said: the whole of it lies in campaign.jsonl.
std::string first_lines(const std::string& text) {
  constexpr std::size_t most = 8, longest = 300;
  std::vector<std::string> lines;
  for (std::string_view line : split(trim(text), '\n')) {
    if (lines.size() == most) break;
    lines.push_back(ellipsis(line, longest));
  }
  return join(lines, "\n");
}

void write_members(JsonWriter& json, const campaign::Version& v) {
  json.field("v", v.proposal.version);
  json.field("strategy", v.proposal.strategy);
  if (v.status) json.field("status", word(*v.status));
  if (const auto& j = v.judged) {
    json.field("verdict", j->verdict), json.field("reason", j->reason),
        json.field("detail", first_lines(j->detail));
    json.field("correct", j->correct);
    json.field("ms", j->ms);
    write_faster(json, "versus_parent", j->faster);
    write_faster(json, "versus_v0", j->than_baseline);
    json.key("expected");
    json.begin_array();
    for (const campaign::Movement& m : j->expected) {
      json.begin_object();
      json.field("metric", m.metric), json.field("said", m.said), json.field("got", m.got),
          json.field("met", m.met);
      json.end_object();
    }
    json.end_array();
    json.field("records", j->records);
  }
}

void write_version(JsonWriter& json, const campaign::Version& v) {
  json.begin_object();
  write_members(json, v);
  json.end_object();
}

// That judging may take from here on: of each version left as many as one may, and no more than the budget.
double minutes_left(const app::CampaignView& view) {
  const campaign::Limits& limits = view.contract.limits;
  const double each = std::max(0, limits.max_versions - view.state.decided()) * limits.minutes;
  if (limits.budget_s <= 0) return each;
  return std::min(each, std::round(std::max(0.0, limits.budget_s - view.state.judging_s) / 6) / 10);
}

void write_left(JsonWriter& json, const app::CampaignView& view) {
  const campaign::Limits& limits = view.contract.limits;
  json.key("left");
  json.begin_object();
  json.field("versions", std::max(0, limits.max_versions - view.state.decided()));
  if (limits.budget_s > 0) json.field("budget_s", std::max(0.0, limits.budget_s - view.state.judging_s));
  json.field("minutes", minutes_left(view));
  json.end_object();
}

void write_heart(JsonWriter& json, const app::Heartbeat& heart) {
  json.key("judging");
  json.begin_object();
  json.field("v", heart.version), json.field("doing", heart.doing);
  json.field("host", heart.host), json.field("pid", heart.pid);
  json.field("since", utc_text(heart.since_ms)), json.field("silent_s", heart.age_s);
  json.field("alive", heart.alive());
  json.end_object();
}

// What every answer about a campaign has.
void write_standing(JsonWriter& json, const app::CampaignView& view) {
  const campaign::State& state = view.state;
  json.field("campaign", view.contract.id);
  json.field("out", view.folder);
  json.field("task", view.contract.task);
  json.field("state", word(state.phase));
  json.field("iteration", state.next_version());
  json.field("champion", "v" + std::to_string(state.champion));
  write_left(json, view);
  if (state.stop) json.field("rule", state.stop->rule), json.field("sentence", state.stop->sentence);
  if (view.heart) write_heart(json, *view.heart);
}

void write_expectations(JsonWriter& json, const std::vector<campaign::Expectation>& list) {
  json.key("expect");
  json.begin_array();
  for (const campaign::Expectation& e : list) {
    json.begin_object();
    json.field("metric", e.metric), json.field("percent", e.percent);
    json.end_object();
  }
  json.end_array();
}

// What `status` leaves out of a verdict. Shapes that candidates are not told are counted and not named.
void write_measured(JsonWriter& json, const campaign::Judged& j) {
  json.key("shapes");
  json.begin_array();
  for (const campaign::ShapeResult& s : j.shapes) {
    json.begin_object();
    json.field("shape", s.shape), json.field("parent_ms", s.parent_ms), json.field("ms", s.ms);
    write_faster(json, "versus_parent", s.faster);
    json.field("roof", s.roof), json.field("status", s.status);
    if (s.weight != 1) json.field("weight", s.weight);
    json.end_object();
  }
  json.end_array();
  json.key("checked");
  json.begin_array();
  for (const campaign::CheckedShape& s : j.checked) {
    json.begin_object();
    json.field("shape", s.timed ? s.shape : "hidden");
    json.field("cases", s.cases), json.field("max_abs", s.max_abs), json.field("passed", s.passed);
    json.end_object();
  }
  json.end_array();
  json.field("gpu", j.gpu), json.field("arch", j.arch), json.field("wall_s", j.wall_s);
}

void write_bound(JsonWriter& json, const app::Bound& bound) {
  const diagnose::Diagnosis& d = bound.diagnosis;
  json.key("bottleneck");
  json.begin_object();
  json.field("kind", d.label.word), json.field("why", d.label.why), json.field("confidence", d.confidence);
  json.end_object();
  json.key("headroom");
  if (bound.roof <= 0) return json.null();
  json.begin_object();
  json.field("ratio", std::round(100 / bound.roof) / 100),
      json.field("roof", std::round(100 * bound.roof) / 100);
  json.end_object();
}

void write_reopened(JsonWriter& json, const campaign::State& state, std::size_t most) {
  json.key("reopen");
  json.begin_array();
  std::size_t told = 0;
  for (const campaign::Version* v : state.open_again()) {
    if (told++ == most) break;
    json.begin_object();
    json.field("v", v->proposal.version), json.field("strategy", v->proposal.strategy);
    json.field("failed_on", "v" + std::to_string(v->proposal.parent));
    json.end_object();
  }
  json.end_array();
}

void write_tried(JsonWriter& json, const campaign::State& state, std::size_t most) {
  json.key("tried");
  json.begin_array();
  std::size_t left_out = 0;
  for (const campaign::Version& v : state.versions) {
    if (v.proposal.version == 0 || !v.status || !v.judged) continue;
    if (!is_told(state, static_cast<std::size_t>(v.proposal.version), most)) {
      ++left_out;
      continue;
    }
    json.begin_object();
    json.field("v", v.proposal.version), json.field("strategy", v.proposal.strategy);
    json.field("status", word(*v.status)), json.field("reason", v.judged->reason);
    json.end_object();
  }
  for (std::size_t i = from_newest(state.refused.size(), most); i < state.refused.size(); ++i) {
    const campaign::Refused& r = state.refused[i];
    json.begin_object();
    json.field("v", r.same_as), json.field("strategy", r.strategy);
    json.field("status", "refused"), json.field("reason", "same_code");
    json.end_object();
  }
  json.end_array();
  if (left_out > 0) json.field("left_out", left_out);
}

void write_notes(JsonWriter& json, const campaign::State& state, std::size_t most) {
  json.key("notes");
  json.begin_array();
  for (std::size_t i = from_newest(state.notes.size(), most); i < state.notes.size(); ++i) {
    json.begin_object();
    json.field("by", state.notes[i].by), json.field("text", state.notes[i].text);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string campaign_json(const app::CampaignView& view, std::size_t most) {
  const auto& versions = view.state.versions;
  JsonWriter json;
  begin_answer(json);
  write_standing(json, view);
  std::size_t left_out = 0;
  json.key("versions");
  json.begin_array();
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (is_told(view.state, i, most))
      write_version(json, versions[i]);
    else
      ++left_out;
  }
  json.end_array();
  if (left_out > 0) json.field("left_out", left_out);
  json.end_object();
  return json.take();
}

std::string ruling_json(const app::Ruling& ruling) {
  JsonWriter json;
  begin_answer(json);
  write_standing(json, ruling.campaign);
  json.field("known", ruling.known);
  json.field("same_code", ruling.refused.has_value());
  json.key("last");
  const campaign::Version& v = ruling.campaign.state.versions[static_cast<std::size_t>(ruling.version)];
  write_version(json, v);
  if (std::string_view then = way_on(ruling.campaign.state, v); !then.empty()) json.field("then", then);
  json.end_object();
  return json.take();
}

std::string judging_json(const app::CampaignView& view, const std::string& then) {
  JsonWriter json;
  begin_answer(json);
  json.field("campaign", view.contract.id), json.field("out", view.folder);
  json.field("state", "judging");
  json.field("iteration", view.state.next_version());
  json.field("then", then);
  json.end_object();
  return json.take();
}

std::string shown_json(const app::ShownVersion& shown) {
  const campaign::Version& v = shown.campaign.state.versions[static_cast<std::size_t>(shown.version)];
  const campaign::Proposed& p = v.proposal;
  JsonWriter json;
  begin_answer(json);
  write_standing(json, shown.campaign);
  json.key("version");
  json.begin_object();
  write_members(json, v);
  json.field("by", p.by), json.field("parent", "v" + std::to_string(p.parent));
  json.field("hypothesis", p.hypothesis), json.field("rationale", p.rationale);
  if (!p.flags.empty()) json.field("flags", p.flags);
  write_expectations(json, p.expect);
  if (v.judged) write_measured(json, *v.judged);
  json.field("proposed_at", shown.proposed_at), json.field("judged_at", shown.judged_at);
  json.field("file", shown.file), json.field("diff", shown.diff);
  json.end_object();
  json.end_object();
  return json.take();
}

std::string next_json(const app::NextStep& next, std::size_t most) {
  const campaign::State& state = next.campaign.state;
  JsonWriter json;
  begin_answer(json);
  write_standing(json, next.campaign);
  json.field("edit", next.edit), json.field("write", next.write);
  if (next.bound) write_bound(json, *next.bound);
  json.key("suggest");
  json.begin_array();
  for (std::size_t i = 0; i < next.advice.shown; ++i) {
    const recommend::Item& item = next.advice.ranking.items[i];
    json.begin_object();
    json.field("strategy", item.strategy), json.field("p", rounded(item.p)),
        json.field("gain", rounded(item.gain));
    json.field("n", item.counts.n);
    json.field("how", "explog strategies show " + item.strategy);
    json.end_object();
  }
  json.end_array();
  json.key("avoid");
  json.begin_array();
  for (const recommend::Avoid& avoid : next.advice.ranking.avoid) {
    json.begin_object();
    json.field("strategy", avoid.strategy), json.field("reason", avoid.reason);
    json.end_object();
  }
  json.end_array();
  if (!next.walk.empty()) json.field("walk", next.walk);
  write_tried(json, state, most);
  write_reopened(json, state, most);
  write_notes(json, state, most);
  json.field("then", state.stop ? campaign::after_the_end(*state.stop)
                                : "explog campaign judge FILE --strategy ID --hypothesis TEXT");
  json.end_object();
  return json.take();
}

std::string branch_json(const app::CampaignBranch& branch) {
  JsonWriter json;
  begin_answer(json);
  json.field("repository", branch.repository), json.field("branch", branch.name);
  json.field("commits", branch.commits), json.field("set_aside", branch.set_aside);
  json.end_object();
  return json.take();
}

std::string campaigns_json(const std::vector<app::CampaignView>& list) {
  JsonWriter json;
  begin_answer(json);
  json.key("campaigns");
  json.begin_array();
  for (const app::CampaignView& view : list) {
    json.begin_object();
    write_standing(json, view);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
