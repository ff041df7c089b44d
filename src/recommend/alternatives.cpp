#include "recommend/alternatives.h"

#include <algorithm>

#include "base/text.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"
#include "recommend/match.h"

namespace explog::recommend {
namespace {

std::size_t applying(const Question& question, const Playbook& playbook) {
  const auto& all = playbook.all();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Strategy& s) {
    Match m = match(s, question, playbook);
    return m.possible && m.meant;
  }));
}

// "fused_softmax_bias" holds "softmax"; "sofmax" nearly is it.
std::vector<std::string> related_types(const std::string& name) {
  std::vector<std::string> known = known_kernel_types(), related;
  for (const std::string& type : known) {
    if (("_" + name + "_").find("_" + type + "_") != std::string::npos)
      related.push_back(canonical_kernel_type(type));
  }
  if (auto near = nearest(name, known); near && related.empty())
    related.push_back(canonical_kernel_type(*near));
  std::sort(related.begin(), related.end());
  related.erase(std::unique(related.begin(), related.end()), related.end());
  return related;
}

// Of several values for one option, the one most strategies apply to.
void add_best(std::vector<Relaxation>& list, const std::string& option,
              const std::vector<std::string>& values, const Question& question, const Playbook& playbook,
              std::string Question::*field) {
  Relaxation best{option, "", 0};
  for (const std::string& value : values) {
    Question changed = question;
    changed.*field = value;
    if (field == &Question::kernel_type) changed.family = family_of(value);
    std::size_t n = applying(changed, playbook);
    if (n > best.strategies) best = {option, value, n};
  }
  if (best.strategies > 0) list.push_back(best);
}

}  // namespace

std::vector<Relaxation> relaxations(const Question& question, const Playbook& playbook) {
  std::vector<Relaxation> list;
  if (!is_known_kernel_type(question.kernel_type)) {
    for (const std::string& type : related_types(question.kernel_type))
      add_best(list, "--kernel", {type}, question, playbook, &Question::kernel_type);
  }
  if (applying(question, playbook) == 0) {
    add_best(list, "--backend", words(Vocabulary::backend), question, playbook, &Question::backend);
    add_best(list, "--arch", {"sm_80", "sm_90", "sm_100"}, question, playbook, &Question::arch);
    if (!question.dtype.empty())
      add_best(list, "--dtype", words(Vocabulary::dtype), question, playbook, &Question::dtype);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Relaxation& a, const Relaxation& b) { return a.strategies > b.strategies; });
  return list;
}

}  // namespace explog::recommend
