#include <array>

#include "base/text.h"
#include "mcp/protocol.h"
#include "mcp/resources.h"

namespace explog::mcp {
namespace {

// {NAME} in `text` is an argument of that name.
struct Prompt {
  std::string_view name, title, description;
  std::array<std::string_view, 2> arguments;  // all are needed; empty: none
  std::string_view text;
};

constexpr std::array<Prompt, 3> prompts = {{
    {"optimise_kernel",
     "Make a kernel faster",
     "The whole loop on one kernel, judged version by version.",
     {"task", "file"},
     "Make the kernel in {file} faster, as the task {task} defines it.\n"
     "1. explog_campaign action=start task={task} file={file}. Without leave to judge, ask the person to run "
     "`explog campaign start {task} {file}`.\n"
     "2. explog_campaign action=next: choose one strategy, with the record behind it. Read "
     "explog://strategy/ID before you use it.\n"
     "3. Say the hypothesis and the counter that should move, change that one thing in a copy of the file it "
     "names under `edit`, and give it to explog_judge with strategy and hypothesis.\n"
     "4. state judging: call explog_judge with the same source again. Kept: go on from it. Reverted or "
     "crash: "
     "read why, go back to the best version, try another strategy. Inconclusive: give it the same source "
     "once "
     "more, then try another strategy. Never weaken the task to pass.\n"
     "5. Repeat until state is finished, then explog_campaign action=report and tell the person the gain "
     "with "
     "its interval, and what did not work."},
    {"what_to_try",
     "What to try next",
     "One question to the memory before a kernel is changed.",
     {"file", ""},
     "Read {file} and give its text to explog_recommend as source. Name the first two strategies, what "
     "speaks "
     "for each and how many records that rests on, how to falsify each cheaply, and what is known to fail. "
     "Do "
     "not change the kernel yet."},
    {"record_attempt",
     "Record an attempt",
     "Tell the memory what was tried, failures too.",
     {"", ""},
     "Record with explog_add what was just tried: kernel_type, backend, arch, strategy, latency before and "
     "after in milliseconds as they were measured, correctness, and in notes why it worked or did not. One "
     "record a change. Record failures and wrong results too: they save the next attempt. Invent no number."},
}};

void write_prompt(JsonWriter& json, const Prompt& prompt) {
  json.begin_object();
  json.field("name", prompt.name), json.field("title", prompt.title);
  json.field("description", prompt.description);
  json.key("arguments");
  json.begin_array();
  for (std::string_view name : prompt.arguments) {
    if (name.empty()) continue;
    json.begin_object();
    json.field("name", name), json.field("required", true);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

Reply list_prompts(const Json& params) {
  if (entry(params, "cursor") != nullptr) return {"", Refusal{Fault::invalid_params, "no such cursor", ""}};
  JsonWriter json;
  json.begin_object();
  json.key("prompts");
  json.begin_array();
  for (const Prompt& prompt : prompts) write_prompt(json, prompt);
  json.end_array();
  json.end_object();
  return {json.take(), std::nullopt};
}

Reply get_prompt(const Json& params) {
  auto fault = [](const std::string& message) {
    return Reply{"", Refusal{Fault::invalid_params, message, ""}};
  };
  const Json* name = entry(params, "name");
  if (name == nullptr || !name->is_string()) return fault("name is missing");
  for (const Prompt& prompt : prompts) {
    if (prompt.name != name->get<std::string>()) continue;
    std::string text(prompt.text);
    for (std::string_view argument : prompt.arguments) {
      if (argument.empty()) continue;
      const Json* given = entry(params, "arguments");
      const Json* value = given != nullptr ? entry(*given, argument) : nullptr;
      if (value == nullptr || !value->is_string()) return fault(std::string(argument) + " is missing");
      text = replace_all(text, "{" + std::string(argument) + "}",
                         ellipsis(printable(value->get<std::string>()), 500));
    }
    JsonWriter json;
    json.begin_object();
    json.field("description", prompt.description);
    json.key("messages");
    json.begin_array();
    json.begin_object();
    json.field("role", "user");
    json.key("content");
    json.begin_object();
    json.field("type", "text"), json.field("text", text);
    json.end_object();
    json.end_object();
    json.end_array();
    json.end_object();
    return {json.take(), std::nullopt};
  }
  return fault("no such prompt: " + printable(name->get<std::string>()));
}

}  // namespace explog::mcp
