// What `doctor` found, as text and JSON.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/judge/doctor.h"

namespace explog::answers {

// All lines of the answer in their order.
std::vector<store::HealthCheck> lines_of(const app::Health& health);
std::string health_json(const app::Health& health);
void print_health(const Terminal& terminal, const app::Health& health);

std::string salvaged_json(const store::Salvaged& salvaged, const std::string& out);
void print_salvaged(const Terminal& terminal, const store::Salvaged& salvaged, const std::string& out);

}  // namespace explog::answers
