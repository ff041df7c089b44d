#include "answers/skill.h"

#include <fmt/format.h>

#include "answers/answer.h"

namespace explog::answers {

void print_skill(const Terminal& terminal, const std::vector<app::SkillState>& states) {
  for (const app::SkillState& state : states) {
    std::string line = fmt::format("{:<9} {}", state.word, state.path);
    if (state.left_alone()) line += "  (somebody changed it: left as it is)";
    terminal.print({line});
  }
}

std::string skill_json(const std::vector<app::SkillState>& states) {
  JsonWriter json;
  begin_answer(json);
  json.key("files");
  json.begin_array();
  for (const app::SkillState& state : states) {
    json.begin_object();
    json.field("path", state.path), json.field("state", state.word);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
