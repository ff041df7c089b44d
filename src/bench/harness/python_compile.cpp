#include "bench/harness/python_compile.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/code/cubin.h"
#include "bench/harness/compile_slot.h"
#include "bench/harness/helper_environment.h"
#include "bench/harness/private_folder.h"
#include "bench/harness/python_texts.h"
#include "model/json.h"

namespace explog::bench {
namespace {

// As contracts.py knows a task's argument and what it is at a shape, in one.
Json argument_json(const Operand& o) {
  Json json = {{"name", o.argument->name},
               {"dtype", dtype_name(o.argument->dtype)},
               {"role", role_name(o.argument->role)}};
  if (o.argument->role != Role::scalar)
    json["extents"] = o.shape, json["address"] = 0;
  else if (o.argument->dtype == Dtype::f32 || o.argument->dtype == Dtype::f64)
    json["value"] = o.value;
  else
    json["value"] = static_cast<std::int64_t>(o.value);
  return json;
}

Json case_json(const Case& c) {
  Json json = {{"dims", Json::object()}, {"arguments", Json::array()}};
  for (const auto& [name, value] : c.dims) json["dims"][name] = value;
  for (const Operand& o : c.operands) json["arguments"].push_back(argument_json(o));
  return json;
}

// Beside the source, for what is compiled.
std::string folder_of_code(const std::string& path) {
  return path.substr(0, path.rfind('/')) + "/explog_code";
}

std::string job_text(const PythonJob& job, const std::string& path) {
  Json json = {{"path", path},
               {"name", job.source.name},
               {"folder", job.source.embedded ? "" : job.source.folder},
               {"backend", job.backend},
               {"arch", job.arch},
               {"entry", job.contract.entry},
               {"code", folder_of_code(path)},
               {"cases", Json::array()}};
  for (const Case& c : job.cases) json["cases"].push_back(case_json(c));
  return json.dump();
}

// Nothing of the user's but the PATH, where compilers are found; CUDA_HOME would turn cuTile to another toolkit's tools.
std::vector<std::string> compile_environment(const PythonJob& job, const std::string& folder) {
  std::vector<std::string> result = {
      "LC_ALL=C.UTF-8",        "HOME=" + folder,      "TMPDIR=" + folder,
      "CUDA_VISIBLE_DEVICES=", "CUTE_DSL_KEEP=cubin", "CUTE_DSL_DUMP_DIR=" + folder};
  add_compilers_caches(result, folder);
  // Of CuTe DSL; from 9.0 on an arch has instructions of its own.
  bool own = job.arch.size() > 4 && !job.arch.starts_with("sm_8") && job.arch.back() != 'a';
  result.push_back("CUTE_DSL_ARCH=" + job.arch + (own ? "a" : ""));
  for (const char* name : {"PATH", "LD_LIBRARY_PATH"}) {
    std::string value = env(name);
    if (name == std::string_view("PATH") && !job.tools.empty()) value += ":" + job.tools;
    if (!value.empty()) result.push_back(std::string(name) + "=" + value);
  }
  return result;
}

PythonKernel kernel_of(const Json& said) {
  PythonKernel k{
      said.at("kernel").get<std::string>(), said.at("dims").get<std::string>(), {}, {}, {}, {}, {}};
  for (auto [name, to] : {std::pair("registers", &k.registers),
                          {"stack", &k.stack},
                          {"shared", &k.shared},
                          {"num_warps", &k.num_warps},
                          {"num_stages", &k.num_stages}}) {
    auto at = said.find(name);
    if (at != said.end() && at->is_number_integer()) *to = at->get<std::int64_t>();
  }
  return k;
}

// What was left of a kernel in the folder: N.cubin, N.ptx, ...
void add_texts(const Json& said, const PythonKernel& k, const std::string& folder, CodeTexts& texts) {
  std::string number = folder + "/" + std::to_string(said.at("code").get<std::int64_t>());
  CodeTexts one;
  one.cubin = text_if_there(number + ".cubin");
  for (const auto& [kind, text] : code_kinds()) one.*text = text_if_there(number + "." + std::string(kind));
  auto cubin = read_cubin(one.cubin);
  bool named = cubin && cubin->kernels.size() == 1;
  add_kernel_texts(texts, {named ? cubin->kernels[0].name : k.name, k.num_warps, k.num_stages, k.shared},
                   std::move(one), folder.substr(0, folder.rfind('/')));
}

// What an ended process leaves to say: a signal, or its exit status and last words.
std::string ending_of(Child& child, const std::string& name, bool loaded) {
  Child::Ending ending = child.finish(2000);
  const char* during = loaded ? "while its kernels were compiled" : "while it was imported";
  if (ending.status > 128)
    return fmt::format("{}: the interpreter was killed by signal {} {}", name, ending.status - 128, during);
  std::string last;
  for (std::string_view line : split(child.output(), '\n')) {
    if (!trim(line).empty()) last = trim(line);
  }
  return fmt::format("{}: the interpreter ended with status {} {}{}", name, ending.status, during,
                     last.empty() ? "" : ": " + ellipsis(printable(last), 160));
}

std::string too_late(const PythonJob& job, bool loaded) {
  return loaded ? fmt::format("{}: compiling for one more shape took more than {} s", job.source.name,
                              job.case_ms / 1000)
                : fmt::format("{}: importing it took more than {} s", job.source.name, job.import_ms / 1000);
}

// Hears the child out. A reply that is none is a broken child.
void hear(Child& child, const PythonJob& job, const std::string& folder, PythonCompiled& result) {
  bool loaded = false;
  for (std::string line;;) {
    Child::Heard heard = child.listen(line, loaded ? job.case_ms : job.import_ms);
    if (heard == Child::Heard::line) {
      Json said = parse_json(line);
      if (said.contains("done")) return;
      if (said.contains("error")) return void(result.error = printable(said["error"].get<std::string>()));
      if (said.contains("loaded")) loaded = true;
      if (said.contains("kernel")) {
        result.kernels.push_back(kernel_of(said));
        add_texts(said, result.kernels.back(), folder, result.texts);
      }
    } else {
      result.error =
          heard == Child::Heard::timeout ? too_late(job, loaded) : ending_of(child, job.source.name, loaded);
      return;
    }
  }
}

}  // namespace

PythonCompiled compile_python(const PythonJob& job) {
  PrivateFolder folder;
  std::string path = folder.path() + "/" + job.source.name, program = folder.path() + "/explog_compile.py",
              order = folder.path() + "/explog_job.json";
  write_file(path, job.source.text);
  make_directories(folder_of_code(path));
  auto part = [](std::string_view name) {
    return std::string(embedded_file(fmt::format("kernels/harness/python/{}.py", name)).value());
  };
  for (std::string_view name : {"compile", "cubin", "tensors"})
    write_file(fmt::format("{}/explog_{}.py", folder.path(), name), part(name));
  write_file(folder.path() + "/explog_contracts.py", part("launch") + part("contracts"));
  write_file(order, job_text(job, path));
  auto slot = take_compile_slot();
  Child child({{job.interpreter, "-I", "-B", program, order},
               compile_environment(job, folder.path()),
               folder.path(),
               {}});
  PythonCompiled result;
  try {
    hear(child, job, folder_of_code(path), result);
  } catch (const std::exception& e) {  // whatever runs there may write to the reply pipe
    result.error = job.source.name + ": broken reply of the interpreter: " + printable(e.what());
  }
  child.finish(0);
  result.printed = child.output();
  return result;
}

}  // namespace explog::bench
