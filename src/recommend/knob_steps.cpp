#include "recommend/knob_steps.h"

#include <cmath>

#include "base/text.h"
#include "recommend/similarity.h"
#include "recommend/situation.h"

namespace explog::recommend {
namespace {

constexpr double gain_of_broken = -1.5;  // log2: what does not run is as bad as a third of the speed

double mean_gain(const EvidenceRow& cell) {
  double sum = static_cast<double>(cell.gain_sum + cell.loss_sum) / 1e4;
  return (sum + gain_of_broken * static_cast<double>(cell.broken)) / static_cast<double>(cell.n());
}

void set_direction(KnobStep& step, std::string_view word) {
  step.direction = word == "up" || word == "on" ? 1 : word == "down" || word == "off" ? -1 : 0;
  if (step.direction != 0) return;
  Facts to = features({{step.knob, parse_number(word.substr(2)).value_or(0)}}, {});
  if (!to.empty()) step.to = std::round(to.front().second);
}

}  // namespace

std::vector<KnobStep> knob_steps(const Question& question, const FamilyEvidence& evidence) {
  Similarity similarity(evidence, question.arch, question.backend);
  std::vector<KnobStep> steps;
  for (const EvidenceRow& cell : evidence.rows) {
    std::string_view strategy = cell.setting->strategy, knob = knob_of(strategy);
    if (knob.empty() || cell.by->reversed || cell.n() == 0) continue;
    KnobStep step;
    step.knob = knob;
    step.state = parse_feature_key(cell.state->text);
    if (!fact(step.state, step.knob)) continue;
    set_direction(step, strategy.substr(knob.size() + 1));
    step.gain = mean_gain(cell);
    step.weight = similarity.weight(cell) * kinship(question, *cell.setting) * situation_of(question, cell) *
                  std::sqrt(static_cast<double>(cell.n()));
    if (step.weight > 0) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace explog::recommend
