// What `check` found, as text and JSON.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/judge/check.h"

namespace explog::answers {

std::string check_json(const bench::CheckReport& report);
// `what` was checked: "mine.cu for softmax".
void print_check(const Terminal& terminal, const bench::CheckReport& report, const std::string& what,
                 bool quiet);

std::string compiled_json(const app::Compiled& compiled);
void print_compiled(const Terminal& terminal, const app::Compiled& compiled);

std::string task_check_json(const app::CheckedTask& checked);
void print_task_check(const Terminal& terminal, const app::CheckedTask& checked, bool quiet);

}  // namespace explog::answers
