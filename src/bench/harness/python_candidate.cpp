#include "bench/harness/python_candidate.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/private_folder.h"
#include "bench/harness/toolchain.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr int candidate_format = 1;  // of candidate.json

std::string describe(const Task& task, const SourceFile& source, bool on_gpu) {
  Json arguments = Json::array();
  for (const Argument& a : task.arguments)
    arguments.push_back({{"name", a.name}, {"dtype", dtype_name(a.dtype)}, {"role", role_name(a.role)}});
  Json said = {{"format", candidate_format},
               {"file", source.name},
               {"device", on_gpu ? "gpu" : "host"},
               {"arguments", std::move(arguments)}};
  if (source.name == task.reference || !source.run_by.empty()) said["reference"] = true;
  if (source.run_by == compiled_torch) said["compile"] = true;
  return said.dump();
}

}  // namespace

std::vector<ProductFile> python_candidate(const Task& task, const SourceFile& source, bool on_gpu) {
  std::vector<ProductFile> files = {{"candidate.json", describe(task, source, on_gpu)},
                                    {source.name, source.text}};
  for (const IncludedFile& module : included_files(source)) files.push_back({module.name, module.text});
  return files;
}

bool compiles_long(const std::string& product) {
  if (!is_module(product)) return false;
  for (const std::string& path : files_in(product)) {
    if (!path.ends_with(".py") && !path.ends_with(".json")) continue;
    std::string text = read_file(path);
    for (std::string_view sign : {"cpp_extension", "tvm_ffi", R"("compile":true)"})
      if (text.find(sign) != text.npos) return true;
  }
  return false;
}

std::string syntax_error(const std::string& python, const SourceFile& source) {
  PrivateFolder folder;
  std::string file = folder.path() + "/source";
  write_file(file, source.text);
  const std::string parse =
      "import ast, sys\n"
      "try: ast.parse(open(sys.argv[1], 'rb').read(), sys.argv[2])\n"
      "except (SyntaxError, ValueError) as e: print(f'{type(e).__name__}: {e}'); sys.exit(1)\n";
  constexpr int patience_ms = 60'000;
  Finished run = run_program({python, "-I", "-S", "-c", parse, file, source.name}, patience_ms);
  if (run.status == 0) return "";
  std::string said(trim(run.output));
  if (said.find("Error: ") != std::string::npos && run.status == 1) return said;
  throw Error(Exit::unavailable, printable(python) + " does not run: " + printable(said),
              "name another interpreter with --python");
}

}  // namespace explog::bench
