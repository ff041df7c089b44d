// What a gate found: a table for people, JSON, and Markdown for a comment.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/gate/gate.h"

namespace explog::answers {

void print_gate(const Terminal& terminal, const app::Gate& gate);
std::string gate_json(const app::Gate& gate);
// One table and what is behind it; its first line marks the comment, so that the next run replaces it.
std::string gate_markdown(const app::Gate& gate);

}  // namespace explog::answers
