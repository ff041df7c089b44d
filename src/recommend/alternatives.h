// What to ask instead, when a question has no good answer.
#pragma once
#include <string>
#include <vector>

#include "model/playbook.h"
#include "model/question.h"

namespace explog::recommend {

struct Relaxation {
  std::string option, value;   // one option of `recommend` to change: --kernel, softmax
  std::size_t strategies = 0;  // that apply then
};

// For a kernel type that is not in the taxonomy: the types its name holds or nearly is. For a question no
// strategy applies to: the other backend, arch or dtype most strategies apply to. Each is one change alone;
// most first.
std::vector<Relaxation> relaxations(const Question& question, const Playbook& playbook);

}  // namespace explog::recommend
