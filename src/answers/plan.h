// Answers about a plan of many machines: where it stands, how a worker ended.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/launch/plan_status.h"
#include "app/launch/plan_worker.h"

namespace explog::answers {

void print_plan(const Terminal& terminal, const app::PlanStatus& status);
std::string plan_json(const app::PlanStatus& status);

void print_plan_end(const Terminal& terminal, const app::PlanEnd& end, const std::string& folder);
std::string plan_end_json(const app::PlanEnd& end, const std::string& folder);

}  // namespace explog::answers
