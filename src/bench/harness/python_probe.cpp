#include "bench/harness/python_probe.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/cache.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr std::string_view mark = "explog-python ";
constexpr int probe_format = 2;

// In microseconds, which a JSON number holds exactly.
std::optional<std::int64_t> modified(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1000000 + info.st_mtim.tv_nsec / 1000;
}

std::string probe_text() { return std::string(embedded_file("kernels/harness/python/probe.py").value()); }

// A name that changes with the interpreter, the probe and what it looks up on the PATH.
std::string kept_at(const std::string& path) {
  std::string key = fmt::format("{}\n{}\n{}\n{}\n{}", path, modified(path).value_or(0), env("PATH"),
                                env("CC"), probe_text());
  return cache_folder() + "/" + hex(blake2b_128(key)) + ".python";
}

std::string line_of(const std::string& output) {
  for (std::string_view line : split(output, '\n')) {
    if (line.starts_with(mark)) return std::string(line);
  }
  return "";
}

// Packages that came or went since have changed their folder.
bool still_true(const std::string& line) {
  Json said = parse_json(std::string_view(line).substr(mark.size()));
  for (const Json& folder : said.at("site")) {
    if (modified(folder.at("path").get<std::string>()) != folder.at("modified").get<std::int64_t>())
      return false;
  }
  return true;
}

std::optional<std::string> kept(const std::string& file) {
  try {
    if (!modified(file)) return std::nullopt;
    std::string line = line_of(read_file(file));
    if (!line.empty() && still_true(line)) return line;
  } catch (const std::exception&) {
    return std::nullopt;  // a broken file is as good as none
  }
  return std::nullopt;
}

void fill(PythonProbe& p, const Json& said) {
  for (auto [name, to] : {std::pair("python", &p.python),
                          {"torch", &p.torch},
                          {"torch_cuda", &p.torch_cuda},
                          {"triton", &p.triton},
                          {"cutile", &p.cutile},
                          {"tileiras", &p.tileiras},
                          {"tileiras_path", &p.tileiras_path},
                          {"cutedsl", &p.cutedsl},
                          {"numpy", &p.numpy},
                          {"cupti", &p.cupti},
                          {"cupti_path", &p.cupti_path},
                          {"matmul_heuristics", &p.matmul_heuristics},
                          {"compiler", &p.compiler}})
    *to = said.at(name).get<std::string>();
  p.tileiras_archs = said.at("tileiras_archs").get<std::vector<std::string>>();
  p.headers = said.at("headers").get<bool>();
  p.managed = said.at("managed").get<bool>();
}

PythonProbe failed(const std::string& path, const std::string& why) {
  PythonProbe p;
  p.path = path;
  p.error = why;
  return p;
}

std::string last_line(const std::string& output) {
  std::string last;
  for (std::string_view line : split(output, '\n')) {
    if (!trim(line).empty()) last = trim(line);
  }
  return last.empty() ? "" : ": " + ellipsis(printable(last), 120);
}

// The interpreter's name where a shell finds it as it is, else in quotes.
std::string in_shell(const std::string& path) {
  bool plain =
      path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-") ==
      std::string::npos;
  return plain ? path : "'" + replace_all(path, "'", R"('\'')") + "'";
}

std::string pip(const PythonProbe& probe, const std::string& packages) {
  if (!probe.managed) return in_shell(probe.path) + " -m pip install " + packages;
  return in_shell(probe.path) + " -m venv ~/kernels && ~/kernels/bin/pip install " + packages +
         ", and EXPLOG_PYTHON=~/kernels/bin/python";
}

}  // namespace

std::string PythonProbe::tools() const {
  return tileiras_path.substr(0, tileiras_path.find_last_of('/') + 1);
}

PythonProbe read_probe(const std::string& path, const std::string& output) {
  std::string line = line_of(output);
  if (line.empty())
    return failed(path, printable(path) + " does not answer as a Python interpreter" + last_line(output));
  try {
    Json said = parse_json(std::string_view(line).substr(mark.size()));
    refuse_other_format(said, probe_format);
    PythonProbe p;
    p.path = path;
    fill(p, said);
    return p;
  } catch (const std::exception& e) {
    return failed(path, printable(path) + " answers with a broken description: " + e.what());
  }
}

PythonProbe probe_python(const std::string& path, int timeout_ms) {
  std::string file = kept_at(path);
  if (auto line = kept(file)) {
    if (PythonProbe p = read_probe(path, *line); p.error.empty()) return p;
  }
  Finished run;
  try {
    run = run_program({path, "-I", "-c", probe_text()}, timeout_ms);
  } catch (const Error& e) {
    return failed(path, e.what());
  }
  if (run.timed_out)
    return failed(path, fmt::format("{} does not answer within {} s", printable(path), timeout_ms / 1000));
  PythonProbe p = read_probe(path, run.output);
  if (p.error.empty()) write_file(file, line_of(run.output) + "\n");
  return p;
}

std::string packages_text(const PythonProbe& p, const std::string& backend) {
  bool any = backend == "python", numpy = backend == "numpy";
  std::vector<std::string> texts;
  for (auto [wanted, name, version] : {std::tuple(any || backend == "triton", "triton", &p.triton),
                                       {any || backend == "cutile", "cuda-tile", &p.cutile},
                                       {any || backend == "cutile", "tileiras", &p.tileiras},
                                       {any || backend == "cutedsl", "nvidia-cutlass-dsl", &p.cutedsl},
                                       {!numpy, "torch", &p.torch},
                                       {numpy, "numpy", &p.numpy},
                                       {numpy, "python", &p.python}}) {
    if (wanted && !version->empty()) texts.push_back(std::string(name) + " " + *version);
  }
  return join(texts, ", ");
}

std::optional<PythonLack> lacks_arrays(const PythonProbe& p, const std::string& backend) {
  std::string library = backend == "numpy" ? "numpy" : "torch";
  bool there = !(backend == "numpy" ? p.numpy : p.torch).empty();
  return there ? std::nullopt : std::optional(PythonLack{library, pip(p, library)});
}

std::optional<PythonLack> too_old(const PythonProbe& p, const std::string& backend) {
  constexpr double oldest = 3;  // triton.backends, and what a compiled kernel says of itself
  std::optional<double> major = parse_number(p.triton.substr(0, p.triton.find('.')));
  if (backend != "triton" || !major || *major >= oldest) return std::nullopt;
  return PythonLack{"triton 3 or later, only " + printable(p.triton), pip(p, "'triton>=3'")};
}

std::vector<PythonLack> missing_for(const PythonProbe& p, const std::string& backend, bool compile_only) {
  std::vector<PythonLack> lacks;
  auto package = [&](bool there, const std::string& what, const std::string& named) {
    if (!there) lacks.push_back({what, pip(p, named)});
  };
  if (auto arrays = lacks_arrays(p, backend); arrays && !compile_only) lacks.push_back(*arrays);
  if (backend == "triton") {
    package(!p.triton.empty(), "triton", "triton");
    if (auto old = too_old(p, backend)) lacks.push_back(*old);
    if (!compile_only && p.compiler.empty()) lacks.push_back({"a C compiler", ""});
    if (!compile_only && !p.headers) lacks.push_back({"Python.h (package python3-dev)", ""});
  }
  if (backend == "cutile")
    package(!p.cutile.empty() && !p.tileiras_archs.empty(), p.cutile.empty() ? "cuda-tile" : "tileiras",
            "'cuda-tile[tileiras]'");
  if (backend == "cutedsl") package(!p.cutedsl.empty(), "nvidia-cutlass-dsl", "'nvidia-cutlass-dsl[cu13]'");
  return lacks;
}

}  // namespace explog::bench
