#include "app/judge/draft_task.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/text.h"
#include "bench/draft.h"
#include "bench/draft_python.h"
#include "bench/find_task.h"
#include "bench/harness/python.h"
#include "bench/harness/toolchain.h"
#include "intake/source_facts.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

// A file of the draft and what it will hold.
struct Written {
  fs::path path;
  std::string text;
};

// What is in `folder` under the source's own name when the draft is made beside the source; likewise the reference.
bool is_source(const Written& file, const DraftOptions& o) {
  std::error_code ignored;
  return fs::equivalent(file.path, o.source, ignored) || fs::equivalent(file.path, o.reference, ignored);
}

void write_draft(const Written& file) {
  std::ofstream out(file.path, std::ios::binary);
  out << file.text;
  out.flush();
  if (!out) throw Error(Exit::usage, "cannot write " + printable(file.path.string()));
}

std::vector<Written> files_of(const bench::Draft& draft, const bench::SourceFile& source,
                              const fs::path& folder) {
  return {{folder / "task.json", to_json(draft.task) + "\n"},
          {folder / draft.task.reference, draft.reference},
          {folder / source.name, source.text}};
}

// Writes what is not there yet; with `force` over what is.
void write_files(const std::vector<Written>& files, const fs::path& folder, const DraftOptions& o) {
  std::error_code error;
  for (const Written& file : files) {
    if (!o.force && fs::exists(fs::symlink_status(file.path, error)) && !is_source(file, o))
      throw Error(Exit::usage, printable(file.path.string()) + " exists",
                  "--force writes over it; --out DIR goes elsewhere");
  }
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw Error(Exit::usage, "cannot make the folder " + printable(folder.string()));
  for (const Written& file : files) {
    if (!is_source(file, o)) write_draft(file);
  }
}

// Dimensions also come as --N=4096 --D=1024.
std::vector<std::string> dims_of(const DraftOptions& o) {
  std::vector<std::string> dims = o.dims;
  for (const std::string& word : o.dim_flags) dims.push_back(word.substr(2));
  return dims;
}

// A misspelt option must not become a dimension.
void must_be_parameters(const std::vector<std::string>& extras, const Task& task) {
  for (const std::string& word : extras) {
    std::string name = word.substr(2, word.find('=') - 2);
    if (std::none_of(task.arguments.begin(), task.arguments.end(),
                     [&](const Argument& a) { return a.value == name; }))
      throw Error(Exit::usage,
                  "task: unknown option --" + printable(name) + ", and no parameter of solve has this name",
                  "a size that the kernel has built in is given with --dims");
  }
}

// Its text tells neither types nor what is written: setup() and the reference do.
void add_python(bench::DraftOrder& order, const bench::SourceFile& source, const bench::SourceFile& reference,
                std::vector<std::string>& guessed) {
  if (reference.name.empty())
    throw Error(Exit::usage, printable(source.name) + " is Python, where a reference is needed too",
                "--ref ref.py names one; `explog task import` takes problems of KernelBench");
  if (order.dims.empty())
    throw Error(Exit::usage, "task init: no dimensions given", "say --dims N=4096,D=1024");
  bench::PythonSignature found = bench::python_signature(source, reference, order.dims);
  order.signature = std::move(found.signature);
  order.backend = std::move(found.backend);
  guessed = std::move(found.notes);
}

}  // namespace

std::vector<Task> known_tasks(const Session& session) {
  std::vector<Task> tasks;
  for (const std::string& name : bench::embedded_task_names()) {
    tasks.push_back(bench::find_task(name, session.data_dir).task);
    tasks.back().name = name;
  }
  return tasks;
}

Task task_named(const std::string& name, const Session& session) {
  return bench::find_task(name, session.data_dir).task;
}

DraftedTask draft_task(const DraftOptions& o) {
  bench::SourceFile source = bench::read_source(o.source);
  if (source.name == "reference.cpp")
    throw Error(Exit::usage, "reference.cpp is what the draft's own reference is called",
                "rename the kernel's file");
  bench::SourceFile reference = o.reference.empty() ? bench::SourceFile() : bench::read_source(o.reference);
  if (!o.reference.empty() && !bench::is_python(reference.name))
    throw Error(Exit::usage, "--ref: " + printable(reference.name) + " is not Python",
                "without --ref a reference.cpp is drafted");
  bench::DraftOrder order = {source.name,    source.text,   o.name, bench::parse_dims(dims_of(o)),
                             reference.name, reference.text};
  const intake::SourceFacts facts = intake::read_source(source.text, "", source.name);
  order.kernel_type = facts.kernel_type, order.type_reason = printable(facts.type_reason);
  std::vector<std::string> guessed;
  if (bench::is_python(source.name)) add_python(order, source, reference, guessed);
  bench::Draft draft = bench::draft_task(order);
  draft.to_finish.insert(draft.to_finish.begin(), guessed.begin(), guessed.end());
  must_be_parameters(o.dim_flags, draft.task);
  for (const bench::IncludedFile& file : bench::included_files(source))
    draft.to_finish.push_back(file.name + ": " + source.name +
                              (file.is_linked ? " links it" : " includes it") + "; copy it into the folder");
  fs::path folder = o.out.empty() ? fs::path(draft.task.name) : fs::path(o.out);
  std::vector<Written> files = files_of(draft, source, folder);
  write_files(files, folder, o);
  DraftedTask drafted{folder.string(), source.name, draft.task.reference, {}, draft.to_finish};
  for (const Written& file : files) drafted.files.push_back(file.path.filename().string());
  return drafted;
}

}  // namespace explog::app
