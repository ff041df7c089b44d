#include "bench/draft_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/private_folder.h"
#include "bench/harness/python.h"
#include "bench/judge/python_contract.h"
#include "model/json.h"

namespace explog::bench {
namespace {

using Kind = PythonContract::Kind;

constexpr int setup_limit_ms = 120'000;

std::string path_of(const SourceFile& file) { return file.folder + "/" + file.name; }

[[noreturn]] void fail(const SourceFile& file, const Finished& done) {
  if (done.timed_out)
    throw Error(Exit::usage, fmt::format("{}: setup() did not end within {} s", printable(file.name),
                                         setup_limit_ms / 1000));
  std::string text(trim(done.output));
  throw Error(Exit::usage, fmt::format("{}: the interpreter ended with status {}: {}", printable(file.name),
                                       done.status, printable(text.substr(text.rfind('\n') + 1))));
}

// What the file's setup() makes at these dimensions.
Json ask_setup(const SourceFile& file, const Dims& dims, const char* whose) {
  const std::string python = find_python();
  PrivateFolder folder;
  for (const char* part : {"draft_setup", "tensors"})
    write_file(fmt::format("{}/explog_{}.py", folder.path(), part),
               std::string(embedded_file(fmt::format("kernels/harness/python/{}.py", part)).value()));
  Json sizes = Json::object();
  for (const auto& [name, value] : dims) sizes[name] = value;
  Finished done = run_program({python, "-I", "-s", "-B", folder.path() + "/explog_draft_setup.py",
                               path_of(file), sizes.dump(), whose},
                              setup_limit_ms);
  std::string text(trim(done.output));
  Json said;
  try {
    said = parse_json(std::string_view(text).substr(text.rfind('\n') + 1));
  } catch (const JsonError&) {
    fail(file, done);
  }
  if (!said.is_object() || done.timed_out) fail(file, done);
  if (said.contains("missing"))
    throw Error(Exit::unavailable, printable(said.value("error", "")),
                printable(python) + " -m pip install " + printable(said["missing"].get<std::string>()));
  if (said.contains("error")) throw Error(Exit::usage, printable(said["error"].get<std::string>()));
  return said.at("parameters");
}

Parameter of_setup(const Json& said) {
  Parameter p;
  p.name = said.at("name").get<std::string>();
  auto dtype = parse_dtype(said.at("dtype").get<std::string>());
  p.type = c_type_of(dtype.value());
  p.pointer = said.contains("count");
  if (p.pointer) p.count = said["count"].get<std::int64_t>();
  p.is_const = p.pointer && !said.value("written", false);
  if (said.contains("value")) p.value = number_text(said["value"].get<double>());
  return p;
}

// Of a parameter that has a name alone.
Parameter of_name(const std::string& name, const Dims& dims) {
  Parameter p;
  p.name = name;
  p.pointer = std::none_of(dims.begin(), dims.end(),
                           [&](const auto& dim) { return lower(dim.first) == lower(name); });
  p.type = c_type_of(p.pointer ? Dtype::f32 : Dtype::i32);
  return p;
}

std::string backend_of(const PythonContract& contract) {
  auto uses_torch = [](const std::string& module) {
    return module == "torch" || module.starts_with("torch.");
  };
  bool on_gpu = contract.backend != "python" ||
                std::any_of(contract.imports.begin(), contract.imports.end(), uses_torch);
  return on_gpu ? "cuda" : "host";
}

}  // namespace

PythonSignature python_signature(const SourceFile& source, const SourceFile& reference, const Dims& dims) {
  PythonContract contract = python_contract(source.text);
  PythonSignature made{{{}, 1}, backend_of(contract), {}};
  const bool in_reference = !contract.setup && python_contract(reference.text).setup;
  if (contract.setup || in_reference) {
    for (const Json& said :
         ask_setup(in_reference ? reference : source, dims, in_reference ? "reference" : "kernel"))
      made.signature.parameters.push_back(of_setup(said));
    return made;
  }
  if (contract.kind != Kind::solve && contract.kind != Kind::run)
    throw Error(
        Exit::usage,
        printable(source.name) + " has neither setup(...) nor solve(...), which tell a task's arguments",
        "`explog task import` takes problems of KernelBench; else write setup(**dims), as "
        "schema/formats/python.md says");
  for (const std::string& name : contract.parameters) {
    if (name.starts_with("*"))
      throw Error(Exit::usage,
                  fmt::format("{}: {}({}) names no arguments", printable(source.name), contract.entry, name),
                  "give its parameters their names, or the file a setup(**dims)");
    made.signature.parameters.push_back(of_name(name, dims));
    if (made.signature.parameters.back().pointer) made.notes.push_back(name + ": f32 is a guess");
  }
  return made;
}

}  // namespace explog::bench
