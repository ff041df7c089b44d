#include "mcp/record_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/date.h"
#include "base/text.h"
#include "mcp/fence.h"
#include "model/json.h"
#include "model/kernel_type.h"

namespace explog::mcp {
namespace {

// Fields whose text names something; all other text is prose.
constexpr std::array<std::string_view, 13> name_fields = {
    "kernel_type", "backend",     "arch",     "dtype", "bottleneck", "stall", "strategy",
    "outcome",     "correctness", "decision", "cause", "level",      "parent"};
constexpr std::array<std::string_view, 8> line_fields = {"kernel_type", "backend", "arch",    "bottleneck",
                                                         "strategy",    "outcome", "speedup", "level"};

bool is_in(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::string* text_in(const Experience& e, const Field& field) {
  auto* member = std::get_if<std::string Experience::*>(&field.member);
  return member != nullptr ? &(e.**member) : nullptr;
}

// Named numbers; a name that is none is left out.
void write_facts(JsonWriter& json, std::string_view name, const Facts& facts) {
  if (facts.empty()) return;
  json.key(name);
  json.begin_object();
  for (const auto& [key, value] : facts) {
    if (!plain_name(key).empty()) json.field(key, value);
  }
  json.end_object();
}

void write_params(JsonWriter& json, const Params& params) {
  if (params.empty()) return;
  json.key("params");
  json.begin_object();
  for (const auto& [key, value] : params) {
    if (plain_name(key).empty()) continue;
    if (const double* number = std::get_if<double>(&value)) json.field(key, *number);
    if (const bool* yes = std::get_if<bool>(&value)) json.field(key, *yes);
    if (const std::string* text = std::get_if<std::string>(&value)) json.field(key, plain_name(*text));
  }
  json.end_object();
}

void write_field(JsonWriter& json, const Experience& e, const Field& field) {
  if (const std::string* text = text_in(e, field)) {
    if (is_in(field.name, name_fields) && !plain_name(*text).empty()) json.field(field.name, *text);
  } else if (auto* number = std::get_if<std::optional<double> Experience::*>(&field.member)) {
    if (e.**number) json.field(field.name, *(e.**number));
  } else if (auto* facts = std::get_if<Facts Experience::*>(&field.member)) {
    write_facts(json, field.name, e.**facts);
  } else if (std::holds_alternative<Params Experience::*>(field.member)) {
    write_params(json, e.params);
  }
}

}  // namespace

ShownRecord shown(const store::Record& record, const Playbook& playbook) {
  ShownRecord shown{&record, std::nullopt};
  if (!record.is_experience()) return shown;
  try {
    shown.experience = parse_experience(record.body);
  } catch (const JsonError&) {
    return shown;
  }
  Experience& e = *shown.experience;
  if (tells_prose(record)) return shown;
  // A stranger may call a strategy or a kernel anything.
  if (playbook.find(e.strategy) == nullptr) e.strategy.clear();
  if (!is_known_kernel_type(e.kernel_type)) e.kernel_type.clear();
  return shown;
}

bool tells_prose(const store::Record& record) { return record.trust >= Trust::team; }

std::vector<const Field*> prose_fields(const Experience& e) {
  std::vector<const Field*> fields;
  for (const Field& field : experience_fields()) {
    const std::string* text = text_in(e, field);
    if (text != nullptr && !text->empty() && !is_in(field.name, name_fields) &&
        field.name != "idempotency_key" && !field.name.starts_with("source_"))
      fields.push_back(&field);
  }
  return fields;
}

std::string record_line(const ShownRecord& shown) {
  std::string line = shown.record->id + "  " + date_text(shown.record->at_ms).substr(0, 10);
  if (!shown.experience) return line + "  (no attempt)\n";
  const Experience& e = *shown.experience;
  for (const std::string* name :
       {&e.kernel_type, &e.backend, &e.arch, &e.bottleneck, &e.strategy, &e.outcome})
    line += "  " + (plain_name(*name).empty() ? "-" : plain_name(*name));
  if (e.speedup) line += fmt::format("  {}x", short_number(*e.speedup));
  return line + "  " + plain_name(e.level) + '\n';
}

void write_record(JsonWriter& json, const ShownRecord& shown, bool whole) {
  const store::Record& record = *shown.record;
  json.field("id", record.id);
  json.field("at", date_text(record.at_ms));
  json.field("trust", trust_word(record.trust));
  if (record.retracted) json.field("retracted", true);
  if (!shown.experience) return json.field("kind", kind_name(static_cast<explog::Kind>(record.kind)));
  for (const Field& field : experience_fields()) {
    if (whole || is_in(field.name, line_fields)) write_field(json, *shown.experience, field);
  }
}

void write_prose(JsonWriter& json, const ShownRecord& shown) {
  auto fields = prose_fields(*shown.experience);
  if (!tells_prose(*shown.record)) {
    if (!fields.empty()) json.field("withheld", "text of an origin that nobody here has reviewed");
    return;
  }
  json.key("texts");
  json.begin_object();
  for (const Field* field : fields)
    json.key(field->name), write_untrusted(json, *text_in(*shown.experience, *field), shown.record->trust);
  json.end_object();
}

}  // namespace explog::mcp
