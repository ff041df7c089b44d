#include "mcp/tool.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace explog::mcp {
namespace {

constexpr std::array<Tool, 6> table = {{
    {"explog_recommend", "Recommend strategies",
     "Rank what to try next on a GPU kernel, from what really happened on kernels like it: chance of "
     "success, "
     "expected speed-up, first step, how to falsify it, known failures. Ask before changing a kernel.",
     true, true, false, recommend_parameters, run_recommend},
    {"explog_search", "Search records",
     "Find records of optimisation attempts by words and filters, newest first: 'conflicts arch:sm_90 "
     "speedup>=1.5'. Fields: kernel_type, backend, arch, strategy, outcome, bottleneck, level.",
     true, true, false, search_parameters, run_search},
    {"explog_show", "Show a record", "Everything known about records, by id.", true, true, false,
     show_parameters, run_show},
    {"explog_add", "Record an attempt",
     "Record one attempt at one change, failures too: kernel, strategy, latency before and after. The claim "
     "is "
     "checked against its own numbers.",
     false, true, false, add_parameters, run_add},
    {"explog_campaign", "The experiment loop",
     "The loop of one change after the other on one kernel. start judges the baseline (needs --allow judge), "
     "next says what to try and where to write it, status where it stands, report writes the final report.",
     false, true, false, campaign_parameters, run_campaign},
    {"explog_judge", "Judge a version",
     "Build, check and time a version of a campaign against its best so far; it is kept or reverted, and "
     "recorded. Waits up to 50 s, then answers state judging: call again with the same source to go on "
     "waiting. Bytes with a verdict get it again; after an inconclusive one the same call judges them anew.",
     false, true, true, judge_parameters, run_judge},
}};

void write_hints(JsonWriter& json, const Tool& tool) {
  json.key("annotations");
  json.begin_object();
  json.field("readOnlyHint", tool.reads_only);
  json.field("destructiveHint", false);
  json.field("idempotentHint", tool.idempotent);
  json.field("openWorldHint", false);
  json.end_object();
}

void write_limits(JsonWriter& json, const Parameter& p) {
  switch (p.kind) {
    case Kind::text:
      json.field("type", "string");
      if (p.words != nullptr)
        json.key("enum"), json.texts(p.words());
      else
        json.field("maxLength", p.most > 0 ? static_cast<int>(p.most) : 4000);
      break;
    case Kind::whole:
    case Kind::number:
      json.field("type", p.kind == Kind::whole ? "integer" : "number");
      json.field("minimum", p.least);
      if (p.most > p.least) json.field("maximum", p.most);
      break;
    case Kind::yes_no:
      json.field("type", "boolean");
      break;
    case Kind::numbers:
    case Kind::scalars:
      json.field("type", "object");
      json.key("additionalProperties");
      json.raw(p.kind == Kind::numbers ? R"({"type":"number"})"
                                       : R"({"type":["string","number","boolean"]})");
      break;
    case Kind::texts:
      json.field("type", "array");
      json.field("maxItems", 16);
      json.key("items"), json.raw(R"({"type":"string","maxLength":400})");
      break;
  }
}

void write_schema(JsonWriter& json, std::span<const Parameter> parameters) {
  std::vector<std::string> required;
  json.key("inputSchema");
  json.begin_object();
  json.field("type", "object");
  json.key("properties");
  json.begin_object();
  for (const Parameter& p : parameters) {
    if (p.required) required.emplace_back(p.name);
    json.key(p.name);
    json.begin_object();
    write_limits(json, p);
    if (!p.help.empty()) json.field("description", p.help);
    json.end_object();
  }
  json.end_object();
  if (!required.empty()) json.key("required"), json.texts(required);
  json.field("additionalProperties", false);
  json.end_object();
}

// `text` up to `most` bytes of JSON, whole lines only.
std::string whole_lines(const std::string& text, std::size_t most) {
  if (written_size(text) <= most) return text;
  const std::string note = "... (cut; ask for less, or with full)\n";
  std::size_t end = 0;
  for (std::size_t size = written_size(note); end < text.size();) {
    std::size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
    size += written_size(std::string_view(text).substr(end, next - end));
    if (size > most) break;
    end = next;
  }
  return text.substr(0, end) + note;
}

}  // namespace

std::span<const Tool> tools() { return table; }

const Tool* find_tool(std::string_view name) {
  for (const Tool& tool : table) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::string tool_list(bool judge) {
  JsonWriter json;
  json.begin_object();
  json.key("tools");
  json.begin_array();
  for (const Tool& tool : table) {
    if (tool.runs_code && !judge) continue;
    json.begin_object();
    json.field("name", tool.name), json.field("title", tool.title);
    json.field("description", tool.description);
    write_schema(json, tool.parameters());
    write_hints(json, tool);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::size_t written_size(std::string_view text) {
  JsonWriter json(text.size() + 16);
  json.text(text);
  return json.str().size();
}

std::string tool_result(const Answer& answer, std::size_t budget) {
  constexpr std::size_t least_text = 200;
  std::string data = answer.data;
  if (data.size() + least_text + envelope > budget)
    data = R"({"format":1,"truncated":true,"hint":"the answer is too long: ask for less, or with full"})";
  std::string text = whole_lines(answer.text, budget - envelope - data.size());
  JsonWriter json(data.size() + text.size() + 256);
  json.begin_object();
  json.key("content");
  json.begin_array();
  json.begin_object();
  json.field("type", "text"), json.field("text", text);
  json.end_object();
  json.end_array();
  json.key("structuredContent"), json.raw(data);
  json.field("isError", answer.failed);
  json.end_object();
  return json.take();
}

}  // namespace explog::mcp
