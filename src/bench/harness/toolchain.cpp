#include "bench/harness/toolchain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/build_folder.h"
#include "bench/harness/cache.h"
#include "bench/harness/compile_slot.h"
#include "bench/harness/compilers.h"
#include "bench/harness/gpus.h"
#include "bench/harness/kernel_object.h"
#include "bench/harness/python.h"
#include "bench/harness/python_candidate.h"
#include "bench/harness/python_probe.h"
#include "bench/harness/recipe_words.h"
#include "bench/harness/unseen_inputs.h"
#include "bench/judge/signature.h"
#include "model/json.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr int build_patience_ms = 600'000;
// Of the files that lie beside a product: its device code, which is read when the product is judged.
constexpr std::array<std::string_view, 3> device_code_endings = {".ptx", ".cubin", ".sass"};

std::string digest(std::string_view text) { return hex(blake2b_128(text)); }

// Without headers there are no 16-bit floats: they are handed on as their bits.
std::string passed_as(const Argument& a) {
  if (a.role != Role::scalar) return "void*";
  return is_float(a.dtype) && dtype_bytes(a.dtype) == 2 ? "unsigned short" : c_type_of(a.dtype);
}

// The files beside a source: on disk under a plain name, or where the program's own lie below the build folder.
void add_include_path(std::vector<std::string>& command, const SourceFile& source) {
  if (!source.folder.empty()) command.push_back(in_here("-I", source.embedded ? source.folder : "beside"));
}

[[noreturn]] void refuse_lacking(const std::string& python, const PythonLack& lack,
                                 const std::string& more = "") {
  throw Error(Exit::unavailable, printable(python) + " has no " + lack.what, lack.install + more);
}

void set_interpreter(Toolchain& t, const std::string& said) {
  t.python = find_python(said);
  PythonProbe probe = probe_python(t.python);
  if (!probe.error.empty())
    throw Error(Exit::unavailable, probe.error, "name another interpreter with --python or $EXPLOG_PYTHON");
  const std::string backend = t.row().in_python ? t.backend : t.row().on_gpu ? "python" : "numpy";
  if (auto lack = lacks_arrays(probe, backend))
    refuse_lacking(
        t.python, *lack,
        backend == "python" && !probe.numpy.empty() ? "; --backend numpy judges what uses NumPy" : "");
  if (auto old = too_old(probe, backend)) refuse_lacking(t.python, *old);
  t.packages = packages_text(probe, backend);
  t.torch = probe.torch;
  t.tools = probe.tools();
}

}  // namespace

std::string first_error(const std::string& log) {
  std::string first;
  for (std::string_view line : split(log, '\n')) {
    if (trim(line).empty()) continue;
    if (first.empty()) first = trim(line);
    if (line.find("error") != std::string_view::npos || line.find("fatal") != std::string_view::npos)
      return std::string(trim(line));
  }
  return first;
}

Toolchain find_toolchain(const std::string& backend, const std::string& arch, std::vector<std::string> flags,
                         const std::string& python, Interpreter wanted) {
  Toolchain t;
  t.backend = backend;
  std::future<std::vector<Gpu>> gpus;  // nvidia-smi takes longer than all else together
  if (t.row().on_gpu && arch.empty()) gpus = std::async(std::launch::async, find_gpus);
  t.host_compiler = find_cxx();
  t.flags = std::move(flags);
  t.compiler = t.row().compiler == Compiler::nvcc ? find_nvcc() : t.host_compiler;
  t.version = version_of(t.compiler);
  if (t.row().in_python || wanted == Interpreter::beside) set_interpreter(t, python);
  if (!t.row().on_gpu) return t;
  t.arch = arch;
  if (gpus.valid()) {
    Gpu first = gpus.get().front();
    t.arch = first.arch, t.gpu_model = first.name;
  }
  t.cupti = find_cupti(t.compiler);
  return t;
}

std::string calling_convention(const Task& task, const std::vector<std::size_t>& order) {
  std::string parameters, values;
  for (std::size_t i : order) {
    std::string type = passed_as(task.arguments[i]);
    std::string_view comma = parameters.empty() ? "" : ", ";
    parameters += fmt::format("{}{}", comma, type);
    values += fmt::format("{}*({}*)a[{}]", comma, type, i);
  }
  return fmt::format(
      "#ifdef __cplusplus\n"
      "extern \"C\" {{\n"
      "#endif\n"
      "void solve({});\n"
      "void explog_call(void** a) {{ solve({}); }}\n"
      "#ifdef EXPLOG_CUDA\n"
      "int cudaGetLastError();\n"
      "const char* cudaGetErrorString(int);\n"
      "int explog_error(const char** text) {{\n"
      "  int error = cudaGetLastError();\n"
      "  *text = error ? cudaGetErrorString(error) : \"\";\n"
      "  return error;\n"
      "}}\n"
      "#endif\n"
      "#ifdef __cplusplus\n"
      "}}\n"
      "#endif\n",
      parameters, values);
}

std::string harness_hash() {
  std::string all;
  for (const EmbeddedFile& file : embedded_files()) {
    bool measures = !file.path.starts_with(harness_folder + "ceilings/") &&
                    !file.path.starts_with(harness_folder + "heuristics/");
    if (file.path.starts_with(harness_folder) && measures)
      all += std::string(file.path) + '\0' + std::string(file.text) + '\0';
  }
  return digest(all);
}

Builder::Builder(Toolchain toolchain) : toolchain_(std::move(toolchain)), folder_(cache_folder()) {}

struct Builder::Recipe {
  std::string key, suffix;
  SourceFile source;                   // the kernel or the reference; without a name there is none
  std::string call;                    // text of the calling convention
  std::vector<std::string> embedded;   // files of the program that are compiled with it
  std::vector<std::string> compile;    // the compiler and its flags
  std::vector<std::string> link;       // what else goes into the product
  std::vector<std::string> ours = {};  // sources of the program, which are compiled side by side
};

template <class Make>
Built Builder::kept(const std::string& key, const std::string& suffix, Make&& make) {
  Built built;
  built.path = folder_ + "/" + digest(key) + suffix;
  FileLock lock(built.path + ".lock", build_patience_ms, FileLock::File::goes);
  std::error_code ignored, failed;
  if (access(built.path.c_str(), R_OK) == 0) {
    fs::last_write_time(built.path, fs::file_time_type::clock::now(), ignored);
    for (std::string_view ending : device_code_endings)
      fs::last_write_time(built.path + std::string(ending), fs::file_time_type::clock::now(), ignored);
    built.ok = built.cached = true;
    return built;
  }
  std::string product;
  built.ok = make(product, built.log);
  if (!built.ok) return built;
  fs::rename(product, built.path, failed);
  if (failed) throw Error(Exit::unavailable, "cannot write " + built.path + ": " + failed.message());
  for (std::string_view ending : device_code_endings)
    fs::rename(product + std::string(ending), built.path + std::string(ending), ignored);
  prune_cache(folder_);
  return built;
}

// The folder of one build, with everything in it that its compilers read.
struct Builder::Work {
  BuildFolder folder;
  std::optional<KernelObject> object;

  Work(const std::string& cache, const Recipe& recipe, const Toolchain& toolchain) : folder(cache) {
    if (!recipe.call.empty()) folder.write("explog_call.cpp", recipe.call);
    for (const std::string& name : recipe.embedded) folder.write(name, embedded_text(name));
    if (!recipe.source.name.empty()) object.emplace(folder, recipe.source, toolchain, recipe.compile);
  }

  static void put_device_code(const DeviceCodeFiles& code, const std::string& product);
  bool make(const Recipe& recipe, const std::vector<std::string>& objects, std::string& product,
            std::string& log) {
    auto slot = take_compile_slot();
    if (object && !object->compile(log)) return false;
    product = folder.at("product" + recipe.suffix);
    std::vector<std::string> command = recipe.compile;
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), recipe.link.begin(), recipe.link.end());
    if (object)
      for (std::string& file : object->for_linker()) command.push_back(std::move(file));
    command.insert(command.end(), {"-o", product});
    Finished run = folder.run(command);
    log += folder.without_path(run.output);
    if (object) put_device_code(object->device_code(), product);
    return run.status == 0;
  }
};

void Builder::Work::put_device_code(const DeviceCodeFiles& code, const std::string& product) {
  std::error_code ignored;
  if (!code.ptx.empty()) fs::rename(code.ptx, product + ".ptx", ignored);
  if (!code.cubin.empty()) fs::rename(code.cubin, product + ".cubin", ignored);
}

// Of a source of the program's own: what it is made into is shared by all products with the same compiler and flags.
Built Builder::object_of(const std::string& source, std::vector<std::string> embedded,
                         const std::vector<std::string>& compile) {
  embedded.push_back(source);
  return build({"object", ".o", {}, "", std::move(embedded), compile, {"-c", in_here("", source)}});
}

bool Builder::objects_of(const Recipe& recipe, std::vector<std::string>& objects, std::string& log) {
  std::vector<std::future<Built>> all;
  for (const std::string& source : recipe.ours) {
    all.push_back(std::async(std::launch::async,
                             [&, source] { return object_of(source, recipe.embedded, recipe.compile); }));
  }
  bool ok = true;
  for (std::future<Built>& one : all) {
    Built built = one.get();
    ok = ok && built.ok;
    objects.push_back(built.path);
    log += built.log;
  }
  return ok;
}

// Compiles in a fresh folder with the sources copied into it; the product is moved into the cache in one step. A source
// on disk is preprocessed each time: only that tells which files it is made of now.
Built Builder::build(const Recipe& recipe) {
  std::string key = recipe.key + '\0' + toolchain_.compiler + '\0' + toolchain_.version + '\0' + recipe.call +
                    '\0' + hash_of(recipe.source);
  for (const auto* words : {&recipe.compile, &recipe.link})
    for (const std::string& word : *words) key += '\0' + word;
  for (const auto* names : {&recipe.embedded, &recipe.ours})
    for (const std::string& name : *names) key += '\0' + name + '\0' + std::string(embedded_text(name));
  if (may_read_unseen(toolchain_.flags) || may_read_unseen(recipe.source.flags))
    key += '\0' + hex(random_bytes16());  // made anew
  std::optional<Work> work;
  Built failed;
  if (!recipe.source.name.empty() && !recipe.source.embedded) {
    work.emplace(folder_, recipe, toolchain_);
    if (!work->object->preprocess(failed.log)) return failed;
    key += '\0' + work->object->preprocessed();
  }
  return kept(key, recipe.suffix, [&](std::string& product, std::string& log) {
    std::vector<std::string> objects;
    if (!objects_of(recipe, objects, log)) return false;
    if (!work) work.emplace(folder_, recipe, toolchain_);
    return work->make(recipe, objects, product, log);
  });
}

std::string Builder::own_program(const std::string& name, const std::vector<std::string>& headers,
                                 const std::vector<std::string>& compile,
                                 const std::vector<std::string>& sources,
                                 const std::vector<std::string>& libraries) {
  Built built = build({name, "." + name, {}, "", headers, compile, libraries, sources});
  if (built.ok) return built.path;
  throw Error(Exit::unavailable,
              "the program '" + name + "' does not compile with " + toolchain_.compiler + ": " +
                  first_error(built.log),
              "CUDA 12 or later with a host compiler that knows C++20 is needed");
}

Built Builder::written(const std::string& suffix, const std::string& text) {
  return kept("written" + suffix + '\0' + text, suffix, [&](std::string& product, std::string&) {
    product = folder_ + "/" + hex(random_bytes16());
    write_file(product, text);
    return true;
  });
}

std::string Builder::python_runner() {
  std::string text;
  for (const char* part : {"launch", "contracts", "tuned", "runner"})
    text += std::string(embedded_text(harness_folder + "python/" + part + ".py")) + "\n\n";
  return written(".py", text).path;
}

Built Builder::in_python(const Task& task, const SourceFile& source) {
  std::vector<ProductFile> files = python_candidate(task, source, toolchain_.row().on_gpu);
  std::string key = "python " + toolchain_.python + '\0' + toolchain_.packages;
  for (const ProductFile& file : files) key += '\0' + file.name + '\0' + file.text;
  return kept(key, ".python", [&](std::string& product, std::string& log) {
    log = syntax_error(toolchain_.python, source);  // an interpreter is started for it
    if (!log.empty()) return false;
    product = folder_ + "/" + hex(random_bytes16());
    make_directories(product + "/" + std::string(python_cache));
    for (const ProductFile& file : files) {
      make_directories(fs::path(product + "/" + file.name).parent_path().string());
      write_file(product + "/" + file.name, file.text);
    }
    return true;
  });
}

std::vector<std::string> candidate_command(const Toolchain& toolchain, const SourceFile& source) {
  std::vector<std::string> command = {toolchain.compiler, is_c(source) ? "-std=gnu17" : "-std=c++17", "-O3"};
  add_flags(command, toolchain.row().candidate_flags, toolchain);
  add_include_path(command, source);
  command.insert(command.end(), toolchain.flags.begin(), toolchain.flags.end());
  command.insert(command.end(), source.flags.begin(), source.flags.end());
  add_flags_asked_for(command, source, toolchain);
  return command;
}

Built Builder::candidate(const Task& task, const SourceFile& source) {
  if (!toolchain_.python.empty() && is_python(source.name)) return in_python(task, source);
  std::vector<std::string> command = candidate_command(toolchain_, source);
  std::vector<std::string> link = {"-shared"};
  if (is_c(source)) link.insert(link.end(), {"-x", "c"});
  link.push_back(in_here("", "explog_call.cpp"));
  if (is_c(source)) link.insert(link.end(), {"-x", "none"});
  return build({"candidate with code",
                ".so",
                source,
                calling_convention(task, argument_order(source.text, source.name, task)),
                {},
                command,
                link});
}

Built Builder::reference(const SourceFile& source, const std::string& real, bool reversed) {
  if (is_python(source.name)) return python_reference(source, real, reversed);
  std::string folder = harness_folder + "reference/", program = folder + "reference_main.cpp";
  std::vector<std::string> command = {toolchain_.host_compiler,
                                      "-std=c++20",
                                      "-O3",
                                      "-march=native",
                                      "-pthread",
                                      in_here("-I", "kernels"),
                                      in_here("-I", folder),
                                      "-DEXPLOG_REAL=" + real};
  if (reversed) command.emplace_back("-DEXPLOG_REVERSED");
  std::vector<std::string> headers = shared_headers;
  headers.push_back(folder + "explog_reference.h");
  Built main = object_of(program, headers, command);
  if (!main.ok) return main;
  add_include_path(command, source);
  return build({"reference", ".reference", source, "", headers, command, {main.path}});
}

Json python_program(const SourceFile& source, const std::string& real, bool reversed) {
  if (!valid_utf8(source.text))
    throw Error(Exit::usage, "the reference " + printable(source.name) + " is not UTF-8", "save it as UTF-8");
  Json files = Json::object();
  for (const std::string& name : files_below("python/")) {
    std::string file = fs::path(name).filename().string();
    if (file == "reference.py" || file == "draft.py" || file.starts_with("magnitude_"))
      files[file] = embedded_text(name);
  }
  return {{"format", 1},          {"name", source.name}, {"real", real},
          {"reversed", reversed}, {"files", files},      {"reference", source.text}};
}

// Nothing is compiled here: a mistake in the reference is found when it is imported.
Built Builder::python_reference(const SourceFile& source, const std::string& real, bool reversed) {
  return written(".reference.json", python_program(source, real, reversed).dump());
}

}  // namespace explog::bench
