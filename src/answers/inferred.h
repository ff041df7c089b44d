// What a kernel's source told, ahead of the ranking it led to.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/advice/advise.h"

namespace explog::answers {

void print_inferred(const Terminal& terminal, const app::Inferred& inferred, const Question& question);
// `answer`, a JSON object, with the field `inferred` in front.
std::string with_inferred(const std::string& answer, const app::Inferred& inferred);

}  // namespace explog::answers
