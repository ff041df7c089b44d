#include "bench/toolchain.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/cache.h"
#include "bench/gpus.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr int compile_timeout_ms = 300'000;

std::string digest(std::string_view text) { return hex(blake2b_128(text)); }

std::string version_of(const std::string& compiler) {
  Finished run = run_program({compiler, "--version"}, 20'000);
  if (run.status != 0)
    throw Error(Exit::unavailable, printable(compiler) + " does not run: " + printable(run.output));
  std::string text(trim(run.output));
  // "Cuda compilation tools, release 13.0, V13.0.88"
  constexpr std::string_view before = ", V";
  if (std::size_t at = text.rfind(before); compiler.ends_with("nvcc") && at != std::string::npos) {
    std::string_view rest = std::string_view(text).substr(at + before.size());
    return "CUDA " + std::string(rest.substr(0, rest.find('\n')));
  }
  return text.substr(0, text.find('\n'));
}

std::string find_cxx() {
  std::string chosen = env("CXX");
  for (const std::string& name : {chosen, std::string("c++"), std::string("g++"), std::string("clang++")}) {
    if (name.empty()) continue;
    if (name[0] == '/' && access(name.c_str(), X_OK) == 0) return name;
    if (auto path = find_program(name)) return *path;
  }
  throw Error(Exit::unavailable, "no C++ compiler (c++, g++, clang++) on the PATH",
              "install g++, or name one in $CXX");
}

std::string find_nvcc() {
  std::string chosen = env("EXPLOG_NVCC");
  if (!chosen.empty() && access(chosen.c_str(), X_OK) != 0)
    throw Error(Exit::unavailable, "$EXPLOG_NVCC is " + printable(chosen) + ", which cannot be run");
  if (!chosen.empty()) return chosen;
  if (auto path = find_program("nvcc")) return *path;
  if (access("/usr/local/cuda/bin/nvcc", X_OK) == 0) return "/usr/local/cuda/bin/nvcc";
  throw Error(Exit::unavailable, "no nvcc on the PATH nor in /usr/local/cuda/bin",
              "install the CUDA Toolkit, set $EXPLOG_NVCC, or use --backend host");
}

fs::path toolkit_root(const std::string& nvcc) {
  std::error_code ignored;
  return fs::canonical(nvcc, ignored).parent_path().parent_path();
}

std::string find_cupti(const std::string& nvcc) {
  std::error_code ignored;
  fs::path root = toolkit_root(nvcc);
  for (const char* place : {"extras/CUPTI/lib64/libcupti.so", "lib64/libcupti.so", "lib/libcupti.so",
                            "targets/x86_64-linux/lib/libcupti.so"}) {
    if (fs::exists(root / place, ignored)) return (root / place).string();
  }
  return "";
}

std::string_view embedded(std::string_view path) {
  if (auto text = embedded_file(path)) return *text;
  throw Error(Exit::usage, "explog was built without " + std::string(path));
}

const std::vector<std::string>& runner_sources(const std::string& backend) {
  static const std::vector<std::string> cuda = {
      "runner.cpp",    "buffers.cpp",    "sandbox.cpp", "activity.cpp", "profile_cuda.cpp", "profiler.cpp",
      "launches.cpp",  "device_cuda.cu", "buffers.h",   "device.h",     "generate.h",       "activity.h",
      "cupti_calls.h", "launches.h",     "profiler.h",  "sandbox.h",    "cupti_session.h"};
  static const std::vector<std::string> host = {"runner.cpp", "buffers.cpp", "sandbox.cpp", "device_host.cpp",
                                                "buffers.h",  "device.h",    "generate.h",  "sandbox.h"};
  return backend == "cuda" ? cuda : host;
}

void write_text(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw Error(Exit::unavailable, "cannot write " + printable(path.string()), "is the disk full?");
}

std::string_view c_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return "float";
    case Dtype::f64:
      return "double";
    case Dtype::i32:
      return "int";
    case Dtype::i64:
      return "long long";
    case Dtype::u8:
      return "unsigned char";
    default:
      return "unsigned short";  // 16-bit floats travel as pointers only
  }
}

void collect_includes(const std::string& folder, const std::string& text, std::set<std::string>& seen,
                      std::vector<std::pair<std::string, std::string>>& found) {
  static const RE2 form(R"((?m)^\s*#\s*include\s*"([^"\n]+)\")");
  re2::StringPiece rest(text);
  for (std::string name; RE2::FindAndConsume(&rest, form, &name);) {
    std::error_code ignored;
    std::string path = fs::weakly_canonical(folder + "/" + name, ignored).string();
    if (folder.empty() || access(path.c_str(), R_OK) != 0 || !seen.insert(path).second) continue;
    found.emplace_back(name, read_file(path));
    collect_includes(fs::path(path).parent_path().string(), found.back().second, seen, found);
  }
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

std::string backend_of_file(std::string_view name) {
  if (name.ends_with(".cu")) return "cuda";
  for (const char* ending : {".cpp", ".cc", ".cxx", ".c"}) {
    if (name.ends_with(ending)) return "host";
  }
  return "";
}

Toolchain find_toolchain(const std::string& backend, const std::string& arch,
                         std::vector<std::string> flags) {
  Toolchain t;
  t.backend = backend;
  t.host_compiler = find_cxx();
  t.flags = std::move(flags);
  t.compiler = backend == "cuda" ? find_nvcc() : t.host_compiler;
  t.version = version_of(t.compiler);
  if (backend != "cuda") return t;
  t.arch = arch.empty() ? find_gpus().front().arch : arch;
  t.cupti = find_cupti(t.compiler);
  return t;
}

SourceFile read_source(const std::string& path) {
  fs::path p(path);
  std::error_code ignored;
  if (fs::is_directory(p, ignored))
    throw Error(Exit::usage, printable(path) + " is a folder, not a source file");
  std::string folder = fs::absolute(p, ignored).parent_path().string();
  return {p.filename().string(), folder, read_file(path, nullptr, std::size_t{16} << 20)};
}

std::vector<std::pair<std::string, std::string>> own_includes(const SourceFile& source) {
  std::set<std::string> seen;
  std::vector<std::pair<std::string, std::string>> found;
  collect_includes(source.folder, source.text, seen, found);
  return found;
}

std::string calling_convention(const Task& task) {
  std::string parameters, values;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const Argument& a = task.arguments[i];
    std::string type = a.role == Role::scalar ? std::string(c_type(a.dtype)) : "void*";
    parameters += (i > 0 ? ", " : "") + type;
    values += fmt::format("{}*({}*)a[{}]", i > 0 ? ", " : "", type, i);
  }
  return fmt::format(
      "extern \"C\" void solve({});\n"
      "extern \"C\" void explog_call(void** a) {{ solve({}); }}\n"
      "#ifdef EXPLOG_CUDA\n"
      "extern \"C\" int cudaGetLastError();\n"
      "extern \"C\" const char* cudaGetErrorString(int);\n"
      "extern \"C\" int explog_error(const char** text) {{\n"
      "  int error = cudaGetLastError();\n"
      "  *text = error ? cudaGetErrorString(error) : \"\";\n"
      "  return error;\n"
      "}}\n"
      "#endif\n",
      parameters, values);
}

std::string harness_hash() {
  std::string all;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with("kernels/runner/") || file.path.starts_with("kernels/reference/"))
      all += std::string(file.path) + '\0' + std::string(file.text) + '\0';
  }
  return digest(all);
}

Builder::Builder(Toolchain toolchain) : toolchain_(std::move(toolchain)), folder_(cache_folder()) {}

std::string Builder::hash(const SourceFile& source) {
  std::string all = source.text + '\0';
  for (const auto& [name, text] : own_includes(source)) all += name + '\0' + text + '\0';
  return digest(all);
}

std::string Builder::digest_of(std::string_view text) { return digest(text); }

// Compiles in a fresh folder with the sources copied into it; the product is moved into the cache in one
// step.
Built Builder::build(const std::string& key, const std::string& suffix, const SourceFile& source,
                     const std::vector<std::string>& embedded_names, const std::string& call,
                     const std::vector<std::string>& command) {
  std::string everything =
      key + '\0' + toolchain_.compiler + '\0' + toolchain_.version + '\0' + call + '\0' + hash(source);
  for (const std::string& part : command) everything += '\0' + part;
  for (const std::string& name : embedded_names) everything += '\0' + std::string(embedded(name));
  Built built;
  built.path = folder_ + "/" + digest(everything) + suffix;
  FileLock lock(built.path + ".lock", compile_timeout_ms, FileLock::File::goes);
  std::error_code ignored, failed;
  if (access(built.path.c_str(), R_OK) == 0) {
    fs::last_write_time(built.path, fs::file_time_type::clock::now(), ignored);
    built.ok = built.cached = true;
    return built;
  }
  std::string form = folder_ + "/build-XXXXXX";
  if (!mkdtemp(form.data())) throw Error(Exit::unavailable, "cannot write to " + printable(folder_));
  fs::path work(form);
  if (!source.name.empty()) write_text(work / source.name, source.text);
  if (!call.empty()) write_text(work / "explog_call.cpp", call);
  for (const std::string& name : embedded_names) write_text(work / fs::path(name).filename(), embedded(name));
  std::vector<std::string> argv = command;
  for (std::string& word : argv) word = replace_all(word, "@", form);
  std::string product = form + "/product" + suffix;
  argv.insert(argv.end(), {"-o", product});
  Finished run = run_program(argv, compile_timeout_ms);
  built.log = replace_all(run.output, form + "/", "");
  if (run.timed_out) built.log += fmt::format("stopped after {} s\n", compile_timeout_ms / 1000);
  built.ok = run.status == 0 && !run.timed_out;
  if (built.ok) {
    fs::rename(product, built.path, failed);
    if (failed)
      throw Error(Exit::unavailable, "cannot write " + printable(built.path) + ": " + failed.message());
  }
  fs::remove_all(work, ignored);
  if (built.ok) prune_cache(folder_);
  return built;
}

std::string Builder::runner() {
  bool cuda = toolchain_.backend == "cuda";
  std::vector<std::string> names, command = {toolchain_.compiler, "-std=c++20", "-O2"};
  if (cuda)
    command.insert(command.end(),
                   {"-arch=" + toolchain_.arch, "-I@",
                    "-I" + (toolkit_root(toolchain_.compiler) / "extras/CUPTI/include").string()});
  for (const std::string& name : runner_sources(toolchain_.backend)) {
    names.push_back("kernels/runner/" + name);
    if (!name.ends_with(".h")) command.push_back("@/" + name);
  }
  command.push_back("-ldl");
  return own_program("runner", names, command);
}

std::string Builder::ceilings() {
  return own_program(
      "ceilings", {"kernels/ceilings/ceilings.cu", "kernels/ceilings/loops.h", "kernels/ceilings/timing.h"},
      {toolchain_.compiler, "-std=c++20", "-O3", "-arch=" + toolchain_.arch, "@/ceilings.cu"});
}

std::string Builder::own_program(const std::string& name, const std::vector<std::string>& sources,
                                 const std::vector<std::string>& command) {
  Built built = build(name, "." + name, {}, sources, "", command);
  if (built.ok) return built.path;
  throw Error(Exit::unavailable,
              "the program '" + name + "' does not compile with " + printable(toolchain_.compiler) + ": " +
                  printable(first_error(built.log)),
              "CUDA 12 or later with a host compiler that knows C++20 is needed");
}

Built Builder::candidate(const Task& task, const SourceFile& source) {
  bool cuda = toolchain_.backend == "cuda";
  std::vector<std::string> command = {toolchain_.compiler, "-std=c++17", "-O3", "-shared"};
  if (cuda) {
    command.insert(command.end(), {"-arch=" + toolchain_.arch, "-lineinfo", "-DEXPLOG_CUDA",
                                   "-Xcompiler=-fPIC,-fno-gnu-unique", "-Xlinker=-Bsymbolic,-z,defs"});
  } else {
    command.insert(command.end(),
                   {"-march=native", "-fPIC", "-fno-gnu-unique", "-Wl,-Bsymbolic,-z,defs", "-pthread"});
  }
  if (!source.folder.empty()) command.push_back("-I" + source.folder);
  command.insert(command.end(), toolchain_.flags.begin(), toolchain_.flags.end());
  command.insert(command.end(), {"@/" + source.name, "@/explog_call.cpp"});
  return build("candidate", ".so", source, {}, calling_convention(task), command);
}

Built Builder::reference(const SourceFile& source, const std::string& real, bool reversed) {
  std::vector<std::string> command = {toolchain_.host_compiler, "-std=c++20", "-O3",
                                      "-march=native",          "-pthread",   "-I@",
                                      "-DEXPLOG_REAL=" + real};
  if (reversed) command.push_back("-DEXPLOG_REVERSED");
  if (!source.folder.empty()) command.push_back("-I" + source.folder);
  command.insert(command.end(), {"@/" + source.name, "@/reference_main.cpp"});
  return build("reference", ".reference", source,
               {"kernels/reference/reference_main.cpp", "kernels/reference/explog_reference.h"}, "", command);
}

}  // namespace explog::bench
