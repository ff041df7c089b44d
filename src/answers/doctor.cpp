#include "answers/doctor.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "answers/quantities.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using store::HealthCheck;

std::vector<HealthCheck> lines_of(const DeviceCeilings& ceilings) {
  std::vector<HealthCheck> lines;
  for (const auto& [name, rate] : ceilings.rates) {
    const char* unit = name.ends_with("bytes_per_s") ? "B/s" : "FLOP/s";
    lines.push_back({"ceiling", true, fmt::format("{:<22} {}", name, Rate{rate, unit})});
    for (const auto& [what, how] : ceilings.how) {
      if (what == name) lines.back().detail += ", " + how;
    }
  }
  lines.push_back({"ceiling", true, "stored for " + ceilings.gpu});
  return lines;
}

}  // namespace

std::vector<HealthCheck> lines_of(const app::Health& health) {
  std::vector<HealthCheck> lines = health.environment;
  if (health.ceilings) {
    for (HealthCheck& line : lines_of(*health.ceilings)) lines.push_back(std::move(line));
  }
  lines.insert(lines.end(), health.database.begin(), health.database.end());
  return lines;
}

std::string health_json(const app::Health& health) {
  JsonWriter json;
  begin_answer(json);
  json.key("checks");
  json.begin_array();
  for (const HealthCheck& check : lines_of(health)) {
    json.begin_object();
    json.field("name", check.name);
    json.field("ok", check.ok);
    json.field("absent", check.absent);
    json.field("detail", check.detail);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::string salvaged_json(const store::Salvaged& salvaged, const std::string& out) {
  JsonWriter json;
  begin_answer(json);
  json.field("database", out);
  for (auto [key, value] : {std::pair("found", salvaged.found),
                            {"kept", salvaged.kept},
                            {"known", salvaged.known},
                            {"moved", salvaged.moved},
                            {"broken", salvaged.broken},
                            {"missing", salvaged.missing}})
    json.field(key, value);
  json.end_object();
  return json.take();
}

void print_salvaged(const Terminal& terminal, const store::Salvaged& salvaged, const std::string& out) {
  terminal.out << fmt::format("{} events could be read: {} are in {} as they were", salvaged.found,
                              salvaged.kept, printable(out));
  if (salvaged.known > 0) terminal.out << fmt::format(", {} come with explog", salvaged.known);
  if (salvaged.moved > 0)
    terminal.out << fmt::format(", {} that stood behind a gap under its own name", salvaged.moved);
  terminal.out << '\n';
  if (salvaged.broken > 0)
    terminal.out << fmt::format("{} more were found damaged and left out\n", salvaged.broken);
  if (salvaged.missing > 0)
    terminal.out << fmt::format(
        "{} are missing; a remote may have them: `explog remote add`, then `explog sync`\n",
        salvaged.missing);
}

void print_health(const Terminal& terminal, const app::Health& health) {
  for (const HealthCheck& check : lines_of(health))
    terminal.out << fmt::format("{:<4} {:<11} {}\n",
                                !check.ok      ? "BAD"
                                : check.absent ? "-"
                                               : "ok",
                                check.name, printable(check.detail));
}

}  // namespace explog::answers
