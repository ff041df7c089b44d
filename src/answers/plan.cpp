#include "answers/plan.h"

#include <fmt/format.h>

#include <array>

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {
namespace {

using launch::ItemState;

constexpr std::array states = {ItemState::done, ItemState::running, ItemState::preempted, ItemState::lost,
                               ItemState::waiting};

std::size_t count_of(const app::PlanStatus& status, ItemState state) {
  std::size_t n = 0;
  for (const app::ItemStatus& one : status.items) n += one.state == state ? 1 : 0;
  return n;
}

bool has_failed(const app::ItemStatus& one) {
  return one.facts.done && one.facts.done->exit != 0 && one.facts.done->exit != 1;
}

std::string where_text(const app::ItemStatus& one) {
  if (const auto& done = one.facts.done)
    return fmt::format("{} in {:.1f} s{}{}", done->node, done->wall_s,
                       done->exit != 0 ? fmt::format(", exit {}", done->exit) : "",
                       done->said.empty() ? "" : ": " + done->said);
  if (!one.facts.claim) return "";
  std::string text = one.facts.claim->node + (one.facts.left ? ": " + one.facts.left->why : "");
  return text + ", since " + (one.facts.left ? one.facts.left->at : one.facts.claim->at) +
         (one.facts.attempts > 1 ? fmt::format(", attempt {}", one.facts.attempts) : "");
}

std::string counts_text(const app::PlanStatus& status) {
  std::string text;
  for (ItemState state : states)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_of(status, state), word(state));
  return text;
}

}  // namespace

void print_plan(const Terminal& terminal, const app::PlanStatus& status) {
  Lines lines = {
      fmt::format("plan of {} items in {}: {}", status.items.size(), status.folder, counts_text(status))};
  for (const app::ItemStatus& one : status.items) {
    Style style = one.state == ItemState::waiting ? Style::dim : Style::plain;
    lines.push_back({fmt::format("  {:<9}  {:<8}  {:<32}  {}", word(one.state), word(one.item.kind),
                                 ellipsis(one.item.name, 32), where_text(one)),
                     style});
  }
  terminal.print(lines);
}

std::string plan_json(const app::PlanStatus& status) {
  JsonWriter json;
  begin_answer(json);
  json.field("plan", status.folder), json.field("explog", status.plan.explog);
  for (ItemState state : states) json.field(word(state), count_of(status, state));
  json.key("items");
  json.begin_array();
  for (const app::ItemStatus& one : status.items) {
    json.begin_object();
    json.field("id", one.item.id), json.field("kind", one.item.kind), json.field("name", one.item.name);
    json.field("state", one.state), json.field("attempts", one.facts.attempts);
    json.field("failed", has_failed(one));
    if (const auto& claim = one.facts.claim)
      json.field("node", claim->node), json.field("worker", claim->worker), json.field("since", claim->at);
    if (const auto& done = one.facts.done) {
      json.field("exit", done->exit), json.field("wall_s", done->wall_s), json.field("said", done->said);
      json.field("result", fmt::format("{}/items/{}/result-{}", status.folder, one.item.id, done->attempt));
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_plan_end(const Terminal& terminal, const app::PlanEnd& end, const std::string& folder) {
  std::string text = fmt::format("{} of {} items are done", end.done, end.done + end.left);
  if (end.failed > 0) text += fmt::format(", {} failed", end.failed);
  if (end.left > 0)
    text += fmt::format("; `explog campaign resume --out {}` goes on, on any machine", folder);
  terminal.print({text});
}

std::string plan_end_json(const app::PlanEnd& end, const std::string& folder) {
  JsonWriter json;
  begin_answer(json);
  json.field("plan", folder), json.field("done", end.done), json.field("failed", end.failed);
  json.field("left", end.left), json.field("preempted", end.signal != 0);
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
