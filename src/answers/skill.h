// What became of the skill's files.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/advice/skill.h"

namespace explog::answers {

void print_skill(const Terminal& terminal, const std::vector<app::SkillState>& states);
std::string skill_json(const std::vector<app::SkillState>& states);

}  // namespace explog::answers
