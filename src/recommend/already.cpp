#include "recommend/already.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/evidence.h"
#include "recommend/match.h"

namespace explog::recommend {
namespace {

// "smem_tiling is on already" when the state has the knob where the change would put it.
std::string by_knob(const std::string& id, const Question& question) {
  std::string_view knob = knob_of(id);
  auto now = knob.empty() ? std::nullopt : fact(question.state, knob);
  if (!now) return "";
  std::string_view to = std::string_view(id).substr(knob.size() + 1);
  if (to == "on") return *now != 0 ? fmt::format("{} is on already", knob) : "";
  if (to == "off") return *now == 0 ? fmt::format("{} is off already", knob) : "";
  bool same = to.starts_with("to") && parse_number(to.substr(2)) == *now;
  return same ? fmt::format("{} is {} already", knob, to.substr(2)) : "";
}

// A fact of the state by the strategy's own name, as `--state tma_loads=1`.
std::string by_name(const Strategy& known, const Question& question) {
  if (auto value = fact(question.state, known.id); value && *value != 0)
    return "the state says so: " + known.id + "=" + short_number(*value);
  for (const std::string& alias : known.aliases) {
    if (auto value = fact(question.state, alias); value && *value != 0)
      return "the state says so: " + alias + "=" + short_number(*value);
  }
  return "";
}

std::string by_facts(const Strategy& known, const Question& question) {
  for (const Signal& signal : known.done_when) {
    auto value = measured(question, signal.metric);
    if (value && signal.holds(*value)) return signal.metric + " = " + short_number(*value);
  }
  return "";
}

std::string by_source(const Strategy& known, const Question& question) {
  for (const std::string& pattern : known.done_patterns) {
    if (auto found = found_in(question.source, pattern)) return "the source has " + *found;
  }
  return "";
}

std::string by_itself(const Strategy& known, const Question& question) {
  std::string why;
  for (auto* rule : {by_name, by_facts, by_source}) {
    if (why.empty()) why = rule(known, question);
  }
  return why;
}

// Chains are as long as generations of one thing: tcgen05, wgmma, mma.sync, register tiles.
constexpr int longest_chain = 4;

std::string by_another(const Strategy& known, const Question& question, const Playbook& playbook, int links) {
  for (const Strategy& other : playbook.all()) {
    if (!among(other.replaces, known.id)) continue;
    std::string why = by_itself(other, question);
    if (!why.empty()) return why + ", in its place";
    if (links > 1) why = by_another(other, question, playbook, links - 1);
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace

std::string why_there(const std::string& strategy, const Strategy* known, const Question& question,
                      const Playbook& playbook) {
  std::string why = by_knob(strategy, question);
  if (known == nullptr) return why;
  if (why.empty()) why = by_itself(*known, question);
  bool anything_known = !question.state.empty() || !question.metrics.empty() || !question.source.empty();
  return why.empty() && anything_known ? by_another(*known, question, playbook, longest_chain) : why;
}

}  // namespace explog::recommend
