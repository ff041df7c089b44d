// What a client can call: a row a tool. The schema that clients see and the check of what they send come from it.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "model/json.h"

namespace explog::mcp {

enum class Kind { text, whole, number, yes_no, numbers, scalars, texts };

struct Parameter {
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view help;
  bool required = false;
  double least = 0, most = 0;                // of a number; of a text its bytes (most)
  std::vector<std::string> (*words)() = {};  // all values there are
};

// What a tool may use besides its arguments.
struct Call {
  app::Session session;
  bool may_run_code = false;                           // builds and runs kernels
  std::function<bool()> wanted = [] { return true; };  // somebody still waits for the answer
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::vector<std::string> notes = {};  // warnings of the session
};

// `data` is a JSON object for programs, `text` the same for a model or a person.
struct Answer {
  std::string data, text;
  bool failed = false;
};

struct Tool {
  std::string_view name, title, description;
  bool reads_only = false, idempotent = false;
  bool runs_code = false;  // builds and runs kernels: only where the user allows it
  std::vector<Parameter> (*parameters)() = {};
  Answer (*run)(const Json& arguments, Call& call) = {};
};

std::span<const Tool> tools();
const Tool* find_tool(std::string_view name);
// The result of `tools/list`; tools that run code only with `judge`.
std::string tool_list(bool judge);
// Why `arguments` do not fit, naming what and how; "" where they do.
std::string misfit(const Json& arguments, std::span<const Parameter> parameters);
// The result of `tools/call`, so that its line has at most `budget` bytes: text gives way to data, data to a note.
std::string tool_result(const Answer& answer, std::size_t budget);

constexpr std::size_t usual_budget = 8192;  // bytes of an answer: agents pay for each
constexpr std::size_t full_budget = 65536;
constexpr std::size_t envelope = 480;  // of them what stands around text and data, and the request's id
std::size_t written_size(std::string_view text);  // its bytes as JSON

// Arguments that were checked, or what holds without them.
std::string text_of(const Json& arguments, const char* name, const std::string& otherwise = "");
double number_of(const Json& arguments, const char* name, double otherwise);
bool is_set(const Json& arguments, const char* name);

// One function a tool.
Answer run_recommend(const Json& arguments, Call& call);
Answer run_search(const Json& arguments, Call& call);
Answer run_show(const Json& arguments, Call& call);
Answer run_add(const Json& arguments, Call& call);
Answer run_campaign(const Json& arguments, Call& call);
Answer run_judge(const Json& arguments, Call& call);
std::vector<Parameter> recommend_parameters();
std::vector<Parameter> search_parameters();
std::vector<Parameter> show_parameters();
std::vector<Parameter> add_parameters();
std::vector<Parameter> campaign_parameters();
std::vector<Parameter> judge_parameters();

}  // namespace explog::mcp
