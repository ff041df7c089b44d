#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "base/text.h"
#include "bench/foreign_parts.h"
#include "bench/given.h"
#include "model/json.h"

namespace explog::bench {
namespace {

struct Entry {
  std::string file, function;
};

// "kernel.cu::run"
Entry entry_of(const Json& spec) {
  std::string entry = text_at(spec, "entry_point"), file = entry.substr(0, entry.find("::"));
  return {file, file.size() < entry.size() ? entry.substr(file.size() + 2) : ""};
}

bool is_compiled(const std::string& file) {
  return file.ends_with(".cu") || file.ends_with(".cpp") || file.ends_with(".cc") || file.ends_with(".cxx");
}

// Text in Python, as JSON writes it.
std::string python_list(const std::vector<std::string>& words) { return Json(words).dump(); }

std::vector<std::string> flags_of(const Json& spec, const char* name) {
  std::vector<std::string> flags;
  for (const Json& flag : part(part(spec, "compile_options"), name))
    if (flag.is_string()) flags.push_back(flag.get<std::string>());
  return flags;
}

// What the definition calls the inputs, and the outputs: those of explog's that are dimensions come behind.
std::pair<std::vector<std::string>, std::vector<std::string>> values_of(const Task& task) {
  std::vector<std::string> inputs, outputs;
  for (const Argument& a : task.arguments) {
    if (a.is_output())
      outputs.push_back(a.name);
    else if (outputs.empty())
      inputs.push_back(a.name);
  }
  return {inputs, outputs};
}

// Sources in C++ and CUDA whose entry takes tensors, as a candidate that builds them.
class CompiledSolution {
 public:
  CompiledSolution(const Json& solution, const Task& task) : spec_(part(solution, "spec")), task_(task) {
    for (const Json& source : part(solution, "sources")) {
      std::string path = text_at(source, "path");
      if (!is_inside(path)) continue;
      (is_compiled(path) ? sources_ : beside_).push_back(path);
      text_ += text_at(source, "content");
    }
  }

  std::string binding() const { return text_.find("tvm/ffi/") != std::string::npos ? "tvm_ffi" : "torch"; }
  // A plain function is bound by a file that includes its own.
  bool is_plain() const {
    return binding() == "torch" && text_.find("PYBIND11_MODULE") == std::string::npos &&
           text_.find("TORCH_LIBRARY") == std::string::npos;
  }
  std::string bound_in(const Entry& entry) const {
    return "explog_bind" + entry.file.substr(entry.file.rfind('.'));
  }
  static std::string bind(const Entry& entry) {
    return fmt::format(
        "#include \"{}\"\n\n#include <torch/extension.h>\n\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) "
        "{{ m.def(\"{}\", &{}); }}\n",
        entry.file, entry.function, entry.function);
  }

  std::string caller(const Entry& entry) {
    if (is_plain()) {
      std::replace(sources_.begin(), sources_.end(), entry.file, bound_in(entry));
      beside_.push_back(entry.file);
    }
    auto [inputs, outputs] = values_of(task_);
    std::vector<std::string> given = inputs;
    if (part(spec_, "destination_passing_style") != false)
      given.insert(given.end(), outputs.begin(), outputs.end());
    return fmt::format(
        "# Written by `explog task import`: a solution whose entry takes tensors, as a candidate.\nSOURCES = "
        "{}\n"
        "BESIDE = {}\nCFLAGS = {}\nCUDA_CFLAGS = {}\nLDFLAGS = {}\nBINDING = \"{}\"\n\n{}\n\n"
        "def run({}):\n    return getattr(EXTENSION, \"{}\")({})\n",
        python_list(sources_), python_list(beside_), python_list(flags_of(spec_, "cflags")),
        python_list(flags_of(spec_, "cuda_cflags")), python_list(flags_of(spec_, "ld_flags")), binding(),
        *embedded_file("kernels/harness/python/extension.py"), join(given, ", "), entry.function,
        join(given, ", "));
  }

 private:
  const Json& spec_;
  const Task& task_;
  std::vector<std::string> sources_, beside_;
  std::string text_;
};

void add_compiled(const Json& solution, const Entry& entry, const std::string& folder, ForeignTask& made) {
  CompiledSolution compiled(solution, made.task);
  if (compiled.is_plain())
    made.files.emplace_back(folder + "/" + compiled.bound_in(entry), CompiledSolution::bind(entry));
  made.files.emplace_back(folder + "/explog_run.py", compiled.caller(entry));
  made.took.push_back(folder + "/explog_run.py: a candidate, which builds the sources by " +
                      (compiled.binding() == "torch" ? "PyTorch" : "TVM FFI"));
}

// A file in Python is a candidate as it is where its function has a name that explog calls; beside another a file is laid that
// gives it one, and one that builds beside sources in CUDA.
void add_entry(const Json& solution, const std::string& folder, ForeignTask& made) {
  Entry entry = entry_of(part(solution, "spec"));
  std::string module = entry.file.substr(0, entry.file.rfind('.'));
  if (is_compiled(entry.file) && is_inside(entry.file) && is_name(entry.function))
    return add_compiled(solution, entry, folder, made);
  if (!entry.file.ends_with(".py") || !is_name(module) || !is_name(entry.function)) {
    made.left_out.push_back(folder +
                            ": its entry is not understood; a candidate of explog defines solve() or run()");
    return;
  }
  if (entry.function != "run" && entry.function != "solve") {
    entry.file = "explog_run.py";
    made.files.emplace_back(folder + "/" + entry.file,
                            "from " + module + " import " + entry.function + " as run\n");
  }
  made.took.push_back(fmt::format("{}/{}: a candidate as it is", folder, entry.file));
}

}  // namespace

void add_solution(const std::string& text, const std::string& name, ForeignTask& made) {
  Json solution = parsed_foreign(text, "solution");
  std::string of = text_at(solution, "definition");
  if (!of.empty() && of != name) return;
  std::string folder = "solutions/" + name_of(text_at(solution, "name"));
  const Json& spec = part(solution, "spec");
  const Json& languages = part(spec, "languages");
  std::string language =
      languages.is_array() && !languages.empty() ? text_of(languages[0]) : text_at(spec, "language");
  for (const Json& source : part(solution, "sources")) {
    std::string path = text_at(source, "path");
    if (is_inside(path))
      made.files.emplace_back(folder + "/" + path, text_at(source, "content"));
    else
      made.left_out.push_back("a source of the solution has the path '" + printable(path) + "'");
  }
  made.took.push_back(fmt::format("{}: {} by {}, entry {}", folder, printable(language),
                                  printable(text_at(solution, "author")),
                                  printable(text_at(spec, "entry_point"))));
  add_entry(solution, folder, made);
}

}  // namespace explog::bench
