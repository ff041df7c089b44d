// task: what check and bench judge by: list, show, or draft one from a kernel's source.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "bench/check.h"
#include "bench/draft.h"
#include "bench/toolchain.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "model/json.h"

namespace explog::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string action = "list", subject, out, name;
  std::vector<std::string> dims;
  bool force = false;
  FormatFlags format;
};

int list(const Options& o, Context& context) {
  RowPrinter printer(context, o.format.format(context));
  printer.header({"name", "backends", "title"});
  for (const std::string& name : bench::embedded_task_names()) {
    Task task = bench::find_task(name, context.data_dir).task;
    std::string backends;
    for (const TaskBackend& b : task.backends) backends += (backends.empty() ? "" : ",") + b.name;
    printer.row({name, backends, task.title});
  }
  printer.finish();
  return 0;
}

int show(const Options& o, Context& context) {
  if (o.subject.empty()) throw Error(Exit::usage, "task show: name a task", "`explog task list` shows them");
  std::string json = to_json(bench::find_task(o.subject, context.data_dir).task);
  context.out << (context.json ? printable_json(json) : printable(json, false)) << '\n';
  return 0;
}

// A file of the draft and what it will hold.
struct Written {
  fs::path path;
  std::string text;
};

// What is in `folder` under the source's own name when the draft is made beside the source.
bool is_source(const Written& file, const std::string& source) {
  std::error_code ignored;
  return fs::equivalent(file.path, source, ignored);
}

void write_file(const Written& file) {
  std::ofstream out(file.path, std::ios::binary);
  out << file.text;
  out.flush();
  if (!out) throw Error(Exit::usage, "cannot write " + printable(file.path.string()));
}

std::vector<Written> files_of(const bench::Draft& draft, const bench::SourceFile& source,
                              const fs::path& folder) {
  return {{folder / "task.json", to_json(draft.task) + "\n"},
          {folder / "reference.cpp", draft.reference},
          {folder / source.name, source.text}};
}

// Writes what is not there yet; with `force` over what is.
void write_files(const std::vector<Written>& files, const fs::path& folder, const Options& o) {
  std::error_code error;
  for (const Written& file : files) {
    if (!o.force && fs::exists(fs::symlink_status(file.path, error)) && !is_source(file, o.subject))
      throw Error(Exit::usage, printable(file.path.string()) + " exists",
                  "--force writes over it; --out DIR goes elsewhere");
  }
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw Error(Exit::usage, "cannot make the folder " + printable(folder.string()));
  for (const Written& file : files) {
    if (!is_source(file, o.subject)) write_file(file);
  }
}

std::vector<std::string> names_of(const std::vector<Written>& files) {
  std::vector<std::string> names;
  for (const Written& file : files) names.push_back(file.path.filename().string());
  return names;
}

void print_json(Context& context, const fs::path& folder, const std::vector<Written>& files,
                const bench::Draft& draft) {
  JsonWriter json;
  json.begin_object();
  json.key("folder"), json.text(folder.string());
  json.key("files"), json.texts(names_of(files));
  json.key("to_finish"), json.texts(draft.to_finish);
  json.end_object();
  context.out << json.str() << '\n';
}

void print_text(Context& context, const fs::path& folder, const std::string& source,
                const bench::Draft& draft) {
  std::string name = printable(folder.string());
  context.out << context.bold("drafted " + name) << ": task.json, reference.cpp, " << printable(source)
              << "\n\nguessed or open:\n";
  for (const std::string& what : draft.to_finish) context.out << "  - " << printable(what) << '\n';
  context.out << "\nnext:\n"
              << "  1. check " << printable((folder / "task.json").string()) << " against the list above\n"
              << "  2. compute the outputs in " << printable((folder / "reference.cpp").string())
              << "; until then every check refuses\n"
              << "  3. explog check " << name << " --self, then explog check " << name << " CANDIDATE\n";
}

// Dimensions also come as --N=4096 --D=1024.
std::vector<std::string> dims_of(const Options& o, const std::vector<std::string>& extras) {
  std::vector<std::string> dims = o.dims;
  for (const std::string& word : extras) dims.push_back(word.substr(2));
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

int init(const Options& o, const std::vector<std::string>& extras, Context& context) {
  if (o.subject.empty()) throw Error(Exit::usage, "task init: name the kernel's source file");
  bench::SourceFile source = bench::read_source(o.subject);
  if (source.name == "reference.cpp")
    throw Error(Exit::usage, "reference.cpp is what the draft's own reference is called",
                "rename the kernel's file");
  bench::Draft draft =
      bench::draft_task({source.name, source.text, o.name, bench::parse_dims(dims_of(o, extras))});
  must_be_parameters(extras, draft.task);
  for (const auto& [name, text] : bench::own_includes(source))
    draft.to_finish.push_back(name + ": " + source.name + " includes it; copy it into the folder");
  fs::path folder = o.out.empty() ? fs::path(draft.task.name) : fs::path(o.out);
  auto files = files_of(draft, source, folder);
  write_files(files, folder, o);
  context.json ? print_json(context, folder, files, draft) : print_text(context, folder, source.name, draft);
  return 0;
}

// Words that no option took: with init --NAME=VALUE is a dimension, all else a mistake.
void refuse_extras(const Options& o, const std::vector<std::string>& extras,
                   const std::vector<std::string>& known) {
  for (const std::string& word : extras) {
    bool option = word.starts_with("--");
    if (option && o.action == "init" && word.size() > 2 && word.find('=') != std::string::npos) continue;
    std::string name = word.substr(0, word.find('='));
    throw Error(Exit::usage,
                option ? "task: unknown option " + printable(name) + did_you_mean(name, known)
                       : "task: unexpected argument: " + printable(word),
                "explog task --help");
  }
}

int run_task(const Options& o, const CLI::App& app, Context& context) {
  std::vector<std::string> extras = app.remaining(), known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  refuse_extras(o, extras, known);
  if (o.action == "init") return init(o, extras, context);
  return o.action == "show" ? show(o, context) : list(o, context);
}

}  // namespace

Action setup_task(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("action", o->action, "list, show or init")
      ->type_name("ACTION")
      ->check(CLI::IsMember({"list", "show", "init"}));
  app.add_option("subject", o->subject,
                 "show: a task, its folder or its task.json; init: the kernel's source")
      ->type_name("NAME|FILE");
  app.add_option("--dims", o->dims, "init: the shape to time, N=4096,D=1024; also --N=4096 --D=1024")
      ->allow_extra_args(false)
      ->type_name("DIMS");
  app.add_option("--out", o->out, "init: the folder to make (else ./ and the task's name)")->type_name("DIR");
  app.add_option("--name", o->name, "init: the task's name (else the file's)")->type_name("NAME");
  app.add_flag("--force", o->force, "init: write over files that exist");
  o->format.add_to(app);
  app.allow_extras();
  return [o, &app](Context& context) { return run_task(*o, app, context); };
}

}  // namespace explog::cli
