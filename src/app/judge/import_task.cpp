#include "app/judge/import_task.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/draft.h"
#include "bench/find_source.h"
#include "bench/foreign_given.h"
#include "bench/foreign_python.h"
#include "bench/foreign_task.h"
#include "bench/given.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;
using bench::ForeignFile, bench::ForeignTask;

struct Found {
  std::string layout;
  ForeignTask made;
};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Files below a folder with an ending, by name.
std::vector<std::string> files_below(const fs::path& folder, std::string_view ending) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored) && it->path().string().ends_with(ending))
      paths.push_back(it->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> lines_of(const std::vector<std::string>& paths) {
  std::vector<std::string> lines;
  for (const std::string& path : paths) {
    for (std::string text = read_file(path); std::string_view line : split(text, '\n'))
      lines.emplace_back(line);
  }
  return lines;
}

std::vector<std::string> texts_of(const std::vector<std::string>& paths) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(read_file(path));
  return texts;
}

// A path of a workload is relative to the benchmark's data, of which a part may be here: what it begins with is left out
// piece by piece.
ForeignFile foreign_file(const std::string& path, const std::vector<fs::path>& roots) {
  for (fs::path rest = fs::path(path).relative_path().lexically_normal();
       !rest.empty() && *rest.begin() != "..";) {
    for (const fs::path& root : roots) {
      if (!is_file(root / rest)) continue;
      std::string source = (root / rest).string();
      try {
        return {source, "", fs::file_size(source), bench::tensors_of(source)};
      } catch (const Error& e) {
        return {"", e.what(), 0, {}};
      }
    }
    fs::path shorter;
    for (auto part = std::next(rest.begin()); part != rest.end(); ++part) shorter /= *part;
    rest = shorter;
  }
  return {"", "it is not among the files here", 0, {}};
}

// A folder of SOL-ExecBench: one definition, its workloads and solutions beside it.
Found from_folder(const fs::path& folder) {
  auto find = [&](const std::string& path) { return foreign_file(path, {folder}); };
  std::vector<std::string> workloads, solutions;
  for (const std::string& path : files_in(folder.string())) {
    std::string name = fs::path(path).filename().string();
    if (name.starts_with("workload") && name.ends_with(".jsonl")) workloads.push_back(path);
    if (name.starts_with("solution") && name.ends_with(".json")) solutions.push_back(path);
  }
  return {sol_exec_bench,
          bench::task_of_definition(sol_exec_bench, read_file((folder / "definition.json").string()),
                                    lines_of(workloads), texts_of(solutions), find)};
}

// The set that a definition lies in: SET/definitions/.../NAME.json, workloads and solutions in folders beside it. A set of
// results has traces/, each of which holds the workload that was run.
std::optional<fs::path> set_of(const fs::path& definition) {
  for (fs::path folder = fs::absolute(definition).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (folder.filename() == "definitions") return folder.parent_path();
  }
  return std::nullopt;
}

Found from_set(const fs::path& definition) {
  std::vector<std::string> workloads, solutions;
  std::string name = definition.stem().string();
  std::vector<fs::path> roots = {definition.parent_path()};
  if (auto set = set_of(definition)) {
    roots.insert(roots.begin(), *set);
    workloads = files_below(*set / "workloads", "/" + name + ".jsonl");
    if (workloads.empty()) {
      for (const char* ending : {".jsonl", "_workloads.jsonl"}) {
        for (std::string& path : files_below(*set / "traces", "/" + name + ending))
          workloads.push_back(std::move(path));
      }
    }
    solutions = files_below(*set / "solutions", ".json");
  }
  auto find = [&](const std::string& path) { return foreign_file(path, roots); };
  return {flashinfer_bench, bench::task_of_definition(flashinfer_bench, read_file(definition.string()),
                                                      lines_of(workloads), texts_of(solutions), find)};
}

bool is_kernel_bench(const std::string& source) {
  return source.find("class Model") != std::string::npos && source.find("get_inputs") != std::string::npos;
}

Found from_kernel_bench(const fs::path& file, bench::ProblemProbe& probe) {
  std::string source = read_file(file.string());
  if (!is_kernel_bench(source))
    throw Error(Exit::usage, printable(file.string()) +
                                 ": no problem of KernelBench, which has a class Model and get_inputs()");
  Found found{kernel_bench, bench::task_of_probe(probe.ask(bench::Problem::kernel_bench, file.string()),
                                                 file.stem().string())};
  std::string level = fs::absolute(file).parent_path().filename().string();
  std::string problem = (level.starts_with("level") ? level + "/" : "") + file.filename().string();
  found.made.task.imported_from = TaskOrigin{found.layout, problem, {}};
  bench::take_kernel_bench_tolerance(found.made);
  return found;
}

std::string name_of_folder(const fs::path& folder) {
  return fs::absolute(folder / "x").lexically_normal().parent_path().filename().string();
}

Found from_gpu_mode(const fs::path& folder, bench::ProblemProbe& probe) {
  if (!is_file(folder / "reference.py"))
    throw Error(Exit::usage, printable(folder.string()) + ": task.yml, but no reference.py beside it");
  std::string name = name_of_folder(folder);
  Found found{"GPU MODE", bench::task_of_probe(probe.ask(bench::Problem::gpu_mode, folder.string()), name)};
  found.made.task.imported_from = TaskOrigin{found.layout, name, {}};
  return found;
}

// The first kernel of v0, or of the folder; empty where there is none.
std::string first_kernel(const fs::path& folder, std::string_view ending) {
  for (const fs::path& place : {folder / "v0", folder}) {
    for (const std::string& path : files_below(place, ending)) {
      if (fs::path(path).filename() != "ref.py") return path;
    }
  }
  return "";
}

// kernel-opt-skill with the signature of solve() in a .cu, which is the baseline.
ForeignTask from_signature(const std::string& kernel, const std::string& reference, const std::string& name,
                           const std::vector<std::string>& dims) {
  if (dims.empty())
    throw Error(Exit::usage,
                "task import: neither setup() in ref.py nor --dims says how large the arrays are",
                "say --dims N=4096,D=1024");
  bench::SourceFile source = bench::read_source(kernel);
  bench::Draft draft = bench::draft_task({source.name, source.text, bench::task_name_of(name + ".x"),
                                          bench::parse_dims(dims), "ref.py", reference});
  ForeignTask made;
  made.task = draft.task;
  made.files = {{"ref.py", reference}, {source.name, source.text}};
  made.took.push_back("arguments from the signature of solve() in " + source.name +
                      ", which is the baseline");
  for (const std::string& note : draft.to_finish) {
    if (!note.starts_with("reference.cpp")) made.guessed.push_back(note);
  }
  return made;
}

// kernel-opt-skill with setup(), as kernels in Triton have it, in ref.py or in the kernel; the first one goes along as a
// candidate.
ForeignTask from_setup(const fs::path& folder, const std::string& name, const std::vector<std::string>& dims,
                       bench::ProblemProbe& probe) {
  std::vector<std::string> sizes;
  for (const std::string& text : dims) {
    for (std::string_view size : split(text, ',')) sizes.emplace_back(trim(size));
  }
  ForeignTask made = bench::task_of_probe(probe.ask(bench::Problem::skill, folder.string(), sizes), name);
  std::string kernel = first_kernel(folder, ".py");
  if (kernel.empty()) return made;
  std::string file = fs::path(kernel).filename().string();
  made.files.emplace_back(file, read_file(kernel));
  made.took.push_back(file + ": a candidate, for explog check " + made.task.name + " " + file);
  return made;
}

Found from_skill(const fs::path& folder, const std::vector<std::string>& dims, bench::ProblemProbe& probe) {
  std::string name = name_of_folder(folder), reference = read_file((folder / "ref.py").string());
  std::string kernel = first_kernel(folder, ".cu");
  std::string in_python = first_kernel(folder, ".py");
  auto sets_up = [](const std::string& text) { return text.find("def setup(") != std::string::npos; };
  if (kernel.empty() && !sets_up(reference) && (in_python.empty() || !sets_up(read_file(in_python))))
    throw Error(Exit::usage,
                printable(folder.string()) +
                    ": ref.py, but neither setup() in it or in a kernel beside it nor a .cu with solve()");
  Found found{"kernel-opt-skill", kernel.empty() ? from_setup(folder, name, dims, probe)
                                                 : from_signature(kernel, reference, name, dims)};
  found.made.task.imported_from = TaskOrigin{found.layout, name, {}};
  return found;
}

// Of a folder that holds many problems: definitions below definitions/, files of KernelBench, folders of GPU MODE.
std::vector<std::string> problems_in(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(folder / "definitions", ignored)) return files_below(folder / "definitions", ".json");
  if (is_file(folder / "definition.json") || is_file(folder / "task.yml") || is_file(folder / "ref.py") ||
      !fs::is_directory(folder, ignored))
    return {};
  std::vector<std::string> problems;
  for (const std::string& path : files_in(folder.string())) {
    if (path.ends_with(".py") && is_kernel_bench(read_file(path))) problems.push_back(path);
  }
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored)) {
    if (is_file(it->path() / "task.yml")) problems.push_back(it->path().string());
  }
  std::sort(problems.begin(), problems.end());
  return problems;
}

[[noreturn]] void refuse_path(const std::string& path) {
  throw Error(Exit::usage, printable(path) + ": no problem of a benchmark that explog knows",
              "a folder with definition.json, definitions/, task.yml or ref.py; a definition; a KernelBench "
              "file; a folder "
              "of such files or folders");
}

Found problem_at(const fs::path& path, const ImportTaskOptions& o, bench::ProblemProbe& probe) {
  if (is_file(path / "definition.json")) return from_folder(path);
  if (is_file(path / "task.yml")) return from_gpu_mode(path, probe);
  if (is_file(path / "ref.py")) return from_skill(path, o.dims, probe);
  if (is_file(path) && path.extension() == ".json") return from_set(path);
  if (is_file(path) && path.extension() == ".py") return from_kernel_bench(path, probe);
  refuse_path(o.path);
}

void make_place(const fs::path& path, bool force) {
  std::error_code error;
  if (!force && fs::exists(fs::symlink_status(path, error)))
    throw Error(Exit::usage, printable(path.string()) + " exists",
                "--force writes over it; --out DIR goes elsewhere");
  fs::create_directories(path.parent_path(), error);
}

void copy_new(const fs::path& path, const std::string& source, bool force) {
  make_place(path, force);
  std::error_code error;
  fs::copy_file(source, path, fs::copy_options::overwrite_existing, error);
  if (error) throw Error(Exit::usage, "cannot copy " + printable(source) + ": " + error.message());
}

ImportedTaskFolder written(Found found, const fs::path& folder, bool force) {
  ForeignTask& made = found.made;
  made.files.emplace(made.files.begin(), "task.json", to_json(made.task) + "\n");
  ImportedTaskFolder result{made.task.name, found.layout, folder.string(), {},
                            made.took,      made.guessed, made.left_out,   made.task.backends[0].baseline};
  for (const auto& [name, text] : made.files) {
    make_place(folder / name, force);
    explog::write_file((folder / name).string(), text);
    result.files.push_back(name);
  }
  for (const bench::ForeignData& data : made.data) {
    copy_new(folder / data.name, data.source, force);
    result.files.push_back(data.name);
  }
  return result;
}

}  // namespace

ImportedTasks import_tasks(const ImportTaskOptions& o) {
  ImportedTasks imported;
  bench::ProblemProbe probe;
  std::vector<std::string> problems = problems_in(o.path);
  if (problems.empty()) {
    Found found = problem_at(o.path, o, probe);
    fs::path folder = o.out.empty() ? fs::path(found.made.task.name) : fs::path(o.out);
    imported.tasks.push_back(written(std::move(found), folder, o.force));
    return imported;
  }
  for (const std::string& problem : problems) {
    try {
      Found found = problem_at(problem, o, probe);
      fs::path folder = fs::path(o.out.empty() ? "." : o.out) / found.made.task.name;
      imported.tasks.push_back(written(std::move(found), folder, o.force));
    } catch (const Error& e) {
      if (e.exit != Exit::usage) throw;
      imported.refused.push_back(problem + ": " + e.what());
    }
  }
  return imported;
}

}  // namespace explog::app
