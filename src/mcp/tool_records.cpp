#include <fmt/format.h>

#include "answers/ingested.h"
#include "app/records/add_record.h"
#include "app/records/named_records.h"
#include "app/records/records.h"
#include "base/text.h"
#include "mcp/fence.h"
#include "mcp/record_shown.h"
#include "mcp/tool.h"

namespace explog::mcp {
namespace {

// What `explog_add` takes: fields of a record, by their names.
constexpr std::string_view added_fields[] = {"kernel_type",
                                             "kernel",
                                             "backend",
                                             "arch",
                                             "gpu",
                                             "dtype",
                                             "shape",
                                             "bottleneck",
                                             "strategy",
                                             "params",
                                             "hypothesis",
                                             "state",
                                             "metrics_before",
                                             "metrics_after",
                                             "latency_before_ms",
                                             "latency_after_ms",
                                             "speedup",
                                             "correctness",
                                             "decision",
                                             "outcome",
                                             "cause",
                                             "campaign",
                                             "toolkit",
                                             "driver",
                                             "notes",
                                             "tags"};

Kind kind_of(const Field& field) {
  switch (type_of(field)) {
    case FieldType::text:
      return Kind::text;
    case FieldType::number:
      return Kind::number;
    case FieldType::facts:
      return Kind::numbers;
    case FieldType::params:
      return Kind::scalars;
    case FieldType::tags:
      return Kind::texts;
  }
  return Kind::text;
}

std::string sentence(std::string text) {
  if (text.size() > 90) text = ellipsis(text, 90);
  return text;
}

// Prose of records, as lines for the fence.
std::string prose_of(const ShownRecord& shown) {
  std::string text;
  if (!shown.experience || !tells_prose(*shown.record)) return text;
  for (const Field* field : prose_fields(*shown.experience)) {
    auto* member = std::get_if<std::string Experience::*>(&field->member);
    text += fmt::format("{} {}: {}\n", shown.record->id.substr(0, 13), field->name,
                        data_text((*shown.experience).**member));
  }
  return text;
}

std::vector<std::string> ids_found(app::FoundRecords& found, int limit) {
  std::vector<std::string> ids;
  sql::Stmt rows = found.rows("id", limit);
  while (rows.step()) ids.emplace_back(rows.text(0));
  return ids;
}

// Records as far as they fit: names and numbers of each, prose of the first five that have some where it is wanted.
Answer listing(const std::vector<store::Record>& records, const Playbook& playbook, bool prose, bool whole,
               std::size_t budget) {
  constexpr int most_with_prose = 5;
  constexpr std::size_t around =
      envelope + 360;  // with the words around a fence, and those that say that it was cut
  JsonWriter json;
  Answer answer;
  std::string fence;
  int told = 0;
  bool cut = false;
  json.begin_object();
  json.field("format", 1);
  json.key("records");
  json.begin_array();
  for (const store::Record& record : records) {
    ShownRecord one = shown(record, playbook);
    JsonWriter each;
    each.begin_object();
    write_record(each, one, whole);
    std::string told_text = prose && told < most_with_prose ? prose_of(one) : "";
    if (prose && one.experience && told < most_with_prose) write_prose(each, one);
    each.end_object();
    // Everything is said twice: for programs and as text.
    std::string line = record_line(one);
    cut = json.str().size() + each.str().size() + written_size(answer.text + line) +
              written_size(fence + told_text) + around >
          budget;
    if (cut) break;
    told += told_text.empty() ? 0 : 1;
    json.raw(each.take());
    answer.text += line;
    fence += told_text;
  }
  json.end_array();
  if (cut) json.field("truncated", true);
  json.end_object();
  answer.data = json.take();
  if (cut) answer.text += "... (cut: fewer records, or `full`)\n";
  if (!fence.empty()) answer.text += fenced(fence, new_mark());
  return answer;
}

}  // namespace

std::vector<Parameter> search_parameters() {
  return {{"text", Kind::text, "words and filters; empty: the newest", false, 0, 1000},
          {"limit", Kind::whole, "at most this many; 10 without it", false, 1, 50},
          {"notes", Kind::yes_no, "with the records' own text, of origins that are trusted here"}};
}

Answer run_search(const Json& arguments, Call& call) {
  app::FoundRecords found(text_of(arguments, "text"), call.session);
  auto ids = ids_found(found, static_cast<int>(number_of(arguments, "limit", 10)));
  if (ids.empty()) {
    auto reasons = found.why_empty();
    JsonWriter json;
    json.begin_object();
    json.field("format", 1);
    json.key("records"), json.raw("[]");
    json.field("why_empty", reasons);
    json.end_object();
    return {json.take(), "nothing found" + (reasons.empty() ? "" : ": " + join(reasons, "; ")) + "\n"};
  }
  return listing(app::find_records(call.session, ids), call.session.playbook(), is_set(arguments, "notes"),
                 false, usual_budget);
}

std::vector<Parameter> show_parameters() {
  return {{"ids", Kind::texts, "record ids; their first 6 digits will do", true},
          {"full", Kind::yes_no, "up to 64 KB instead of 8"}};
}

Answer run_show(const Json& arguments, Call& call) {
  auto names = arguments.at("ids").get<std::vector<std::string>>();
  bool full = is_set(arguments, "full");
  auto records = app::find_records(call.session, names);
  Answer answer = listing(records, call.session.playbook(), true, true, full ? full_budget : usual_budget);
  if (answer.text.starts_with("...")) answer.text = "the record is longer than 8 KB: ask with full\n";
  return answer;
}

std::vector<Parameter> add_parameters() {
  std::vector<Parameter> parameters = {
      {"idempotency_key", Kind::text, "of this attempt: a retry with it stores nothing new", true, 0, 200}};
  for (std::string_view name : added_fields) {
    const Field* field = find_field(name);
    bool required = name == "kernel_type" || name == "backend" || name == "arch" || name == "strategy";
    parameters.push_back({name, kind_of(*field), field->help, required, 0, 0});
  }
  return parameters;
}

Answer run_add(const Json& arguments, Call& call) {
  Json fields = arguments;
  fields.erase("idempotency_key");
  app::AddOptions options;
  options.key = text_of(arguments, "idempotency_key");
  app::Ingested result = app::add_record(parse_experience(fields.dump()), {}, options, call.session);
  std::string text;
  for (const std::string& id : result.ids) text += "recorded " + id + "\n";
  for (const std::string& warning : result.warnings)
    text += "warning: " + sentence(printable(warning)) + "\n";
  for (const std::string& reason : result.rejections) text += "refused: " + printable(reason) + "\n";
  return {answers::added_json(result), text, result.rejected > 0};
}

}  // namespace explog::mcp
