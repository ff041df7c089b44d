#include "mcp/resources.h"

#include <sstream>

#include "answers/strategies.h"
#include "app/judge/draft_task.h"
#include "base/embedded.h"
#include "base/error.h"
#include "base/text.h"
#include "mcp/protocol.h"

namespace explog::mcp {
namespace {

constexpr std::string_view strategy_prefix = "explog://strategy/";
constexpr std::string_view task_prefix = "explog://task/";
constexpr std::size_t page_size = 50;

struct Resource {
  std::string uri, name, title;
};

std::vector<Resource> all_resources(const app::Session& session) {
  std::vector<Resource> list;
  for (const Task& task : app::known_tasks(session))
    list.push_back({std::string(task_prefix) + task.name, task.name, "Task " + task.name});
  const Playbook playbook = session.playbook();
  for (const Strategy& s : playbook.all())
    list.push_back({std::string(strategy_prefix) + s.id, s.id, s.title});
  return list;
}

Reply refused(Fault fault, std::string message) { return {"", Refusal{fault, std::move(message), ""}}; }

// Where a page begins: a cursor is the number of its first row.
std::optional<std::size_t> page_start(const Json& params, std::size_t rows) {
  const Json* cursor = entry(params, "cursor");
  if (cursor == nullptr) return 0;
  auto number = cursor->is_string() ? parse_number(cursor->get<std::string>()) : std::nullopt;
  if (!number || *number <= 0 || *number >= static_cast<double>(rows)) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

Reply no_pages(const Json& params, const char* result) {
  if (entry(params, "cursor") != nullptr) return refused(Fault::invalid_params, "no such cursor");
  return {result, std::nullopt};
}

Reply contents(const std::string& uri, const char* type, std::string_view text) {
  JsonWriter json;
  json.begin_object();
  json.key("contents");
  json.begin_array();
  json.begin_object();
  json.field("uri", uri), json.field("mimeType", type), json.field("text", text);
  json.end_object();
  json.end_array();
  json.end_object();
  return {json.take(), std::nullopt};
}

Reply strategy_contents(const std::string& uri, const app::Session& session) {
  Playbook playbook = session.playbook();
  const Strategy* strategy = playbook.find(uri.substr(strategy_prefix.size()));
  if (strategy == nullptr) return refused(Fault::invalid_params, "no such resource: " + printable(uri));
  std::ostringstream text, unused;
  answers::print_strategies({.out = text, .err = unused}, {*strategy});
  return contents(uri, "text/markdown", text.str());
}

Reply task_contents(const std::string& uri) {
  std::string name = uri.substr(task_prefix.size());
  auto text = embedded_file("kernels/" + name + "/task.json");
  if (!text) return refused(Fault::invalid_params, "no such resource: " + printable(uri));
  return contents(uri, "application/json", *text);
}

}  // namespace

Reply list_resources(const Json& params, const app::Session& session) {
  auto all = all_resources(session);
  auto start = page_start(params, all.size());
  if (!start) return refused(Fault::invalid_params, "no such cursor");
  std::size_t end = std::min(all.size(), *start + page_size);
  JsonWriter json;
  json.begin_object();
  json.key("resources");
  json.begin_array();
  for (std::size_t i = *start; i < end; ++i) {
    json.begin_object();
    json.field("uri", all[i].uri), json.field("name", all[i].name), json.field("title", all[i].title);
    json.end_object();
  }
  json.end_array();
  if (end < all.size()) json.field("nextCursor", std::to_string(end));
  json.end_object();
  return {json.take(), std::nullopt};
}

Reply list_templates(const Json& params) {
  return no_pages(params,
                  R"({"resourceTemplates":[)"
                  R"({"uriTemplate":"explog://strategy/{id}","name":"strategy","title":"A strategy: when, )"
                  R"(steps, code, how to falsify it","mimeType":"text/markdown"},)"
                  R"({"uriTemplate":"explog://task/{name}","name":"task","title":"A task: what a kernel )"
                  R"(must compute","mimeType":"application/json"}]})");
}

Reply read_resource(const Json& params, const app::Session& session) {
  const Json* uri = entry(params, "uri");
  if (uri == nullptr || !uri->is_string()) return refused(Fault::invalid_params, "uri is missing");
  std::string named = uri->get<std::string>();
  if (named.starts_with(strategy_prefix)) return strategy_contents(named, session);
  if (named.starts_with(task_prefix)) return task_contents(named);
  return refused(Fault::invalid_params, "no such resource: " + printable(named));
}

}  // namespace explog::mcp
