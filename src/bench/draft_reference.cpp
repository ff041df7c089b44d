#include "bench/draft_reference.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/private_folder.h"
#include "bench/harness/python.h"
#include "bench/harness/toolchain.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr int probe_limit_ms = 300'000;
constexpr const char* probe_boot =
    "import json,sys\n"
    "with open(sys.argv[1],encoding='utf-8') as f: PROGRAM=json.load(f)\n"
    "scope={'__name__':'explog'}\n"
    "for name in ('reference.py','draft.py'): "
    "exec(compile(PROGRAM['files'][name],'<'+name+'>','exec'),scope)\n"
    "scope['draft'](PROGRAM)";

Json probe_program(const std::string& file, const std::string& text, const std::vector<Argument>& arguments,
                   const Dims& dims, const std::vector<std::int64_t>& counts) {
  Json program = python_program({file, "", text}, "double", false);
  program["parameters"] = Json::array();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& a = arguments[i];
    auto number = a.role == Role::scalar ? parse_number(a.value) : std::nullopt;
    program["parameters"].push_back({{"name", a.name},
                                     {"pointer", a.role != Role::scalar},
                                     {"const", a.role == Role::in},
                                     {"count", counts.at(i)},
                                     {"dtype", std::string(dtype_name(a.dtype))},
                                     {"value", number.value_or(1)}});
  }
  program["dims"] = Json::object();
  for (const auto& [name, value] : dims) program["dims"][name] = value;
  return program;
}

// The line that the probe prints last; what the reference itself prints stands before it.
Json last_line(const Finished& done) {
  std::string text(trim(done.output));
  try {
    return parse_json(std::string_view(text).substr(text.rfind('\n') + 1), 0);
  } catch (const JsonError&) {
    return Json();
  }
}

[[noreturn]] void fail(const std::string& file, const Finished& done, const Json& answer) {
  if (done.timed_out)
    throw Error(Exit::usage, printable(file) + ": the reference did not end within " +
                                 std::to_string(probe_limit_ms / 1000) + " s at small sizes");
  if (!answer.is_object()) {
    std::string text(trim(done.output));
    throw Error(Exit::usage, printable(file) + ": the interpreter ended with status " +
                                 std::to_string(done.status) + ": " +
                                 printable(text.substr(text.rfind('\n') + 1)));
  }
  bool import = answer.value("reason", "") == "import";
  throw Error(import ? Exit::unavailable : Exit::usage, printable(answer.value("detail", "no reason given")),
              import ? "name an interpreter that has it in $EXPLOG_PYTHON"
                     : "--dims must give every dimension that the reference needs");
}

}  // namespace

ReferenceFacts probe_reference(const std::string& file, const std::string& text,
                               const std::vector<Argument>& arguments, const Dims& dims,
                               const std::vector<std::int64_t>& counts) {
  std::string python = find_python();
  PrivateFolder folder;
  std::string path = folder.path() + "/probe.json";
  std::ofstream(path, std::ios::binary) << probe_program(file, text, arguments, dims, counts).dump();
  Finished done = run_program({python, "-I", "-s", "-c", probe_boot, path}, probe_limit_ms);
  Json answer = last_line(done);
  if (!answer.is_object() || !answer.value("ok", false)) fail(file, done, answer);
  ReferenceFacts facts;
  answer.at("roles").get_to(facts.roles);
  answer.at("shapes").get_to(facts.shapes);
  answer.at("limits").get_to(facts.limits);
  answer.at("distributions").get_to(facts.distributions);
  answer.at("reduction").get_to(facts.reduction);
  answer.at("flops").get_to(facts.flops);
  return facts;
}

std::vector<Dims> within_limits(std::vector<Dims> hidden, const std::vector<std::string>& limits) {
  std::vector<Dims> found;
  for (Dims& shape : hidden) {
    auto size = [&](const std::string& name) -> std::int64_t& {
      return std::find_if(shape.begin(), shape.end(), [&](const auto& d) { return d.first == name; })->second;
    };
    for (const std::string& limit : limits) {
      std::vector<std::string_view> words = split(limit, ' ');  // a % b == 0
      std::int64_t &a = size(std::string(words[0])), &b = size(std::string(words[2]));
      b = std::min(a, b);
      a -= a % b;
    }
    if (std::find(found.begin(), found.end(), shape) == found.end()) found.push_back(std::move(shape));
  }
  return found;
}

}  // namespace explog::bench
