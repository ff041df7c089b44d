// Device code: its text, what is in it, what differs between two.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/judge/code.h"

namespace explog::answers {

void print_code(const Terminal& terminal, const app::NamedCode& code);
std::string code_json(const app::NamedCode& code);
void print_code_difference(const Terminal& terminal, const app::CodeDifference& difference);
std::string code_difference_json(const app::CodeDifference& difference);

}  // namespace explog::answers
