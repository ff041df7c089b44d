#include "answers/task.h"

#include <filesystem>

#include "answers/answer.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {

void print_tasks(RowPrinter& printer, const std::vector<Task>& tasks) {
  printer.show_whole({"name"});
  printer.header({"name", "backends", "title"});
  for (const Task& task : tasks) {
    std::string backends;
    for (const TaskBackend& b : task.backends) backends += (backends.empty() ? "" : ",") + b.name;
    printer.row({task.name, backends, task.title});
  }
  printer.finish();
}

std::string drafted_json(const app::DraftedTask& drafted) {
  JsonWriter json;
  begin_answer(json);
  json.field("folder", drafted.folder);
  json.field("files", drafted.files);
  json.field("to_finish", drafted.to_finish);
  json.end_object();
  return json.take();
}

void print_drafted(const Terminal& terminal, const app::DraftedTask& drafted) {
  std::filesystem::path folder = drafted.folder;
  std::string name = printable(drafted.folder);
  terminal.out << terminal.bold("drafted " + name) << ": task.json, " << printable(drafted.reference) << ", "
               << printable(drafted.source) << "\n\nguessed or open:\n";
  for (const std::string& what : drafted.to_finish) terminal.out << "  - " << printable(what) << '\n';
  terminal.out << "\nnext:\n"
               << "  1. check " << printable((folder / "task.json").string()) << " against the list above\n";
  bool open = drafted.reference.ends_with(".cpp");
  if (open)
    terminal.out << "  2. compute the outputs in " << printable((folder / drafted.reference).string())
                 << "; until then every check refuses\n";
  terminal.out << (open ? "  3. " : "  2. ") << "explog check " << name << " --self, then explog check "
               << name << " CANDIDATE\n";
}

std::string imported_tasks_json(const app::ImportedTasks& imported) {
  JsonWriter json;
  begin_answer(json);
  json.key("tasks");
  json.begin_array();
  for (const app::ImportedTaskFolder& task : imported.tasks) {
    json.begin_object();
    json.field("name", task.name);
    json.field("layout", task.layout);
    json.field("folder", task.folder);
    json.field("files", task.files);
    json.field("took", task.took);
    json.field("guessed", task.guessed);
    json.field("left_out", task.left_out);
    json.field("baseline", task.baseline);
    json.end_object();
  }
  json.end_array();
  json.field("refused", imported.refused);
  json.end_object();
  return json.take();
}

// What its user does with a task. One whose baseline is its reference can be judged by at once.
static void print_next(const Terminal& terminal, const app::ImportedTaskFolder& task) {
  std::string name = printable(task.folder);
  bool draft = task.baseline == "baseline.cu", torch = task.baseline.ends_with(".py");
  terminal.out << "\nnext:\n  1. check task.json against the lines above"
               << (draft ? ", and write a plain, right kernel as its baseline" : "") << '\n';
  if (!torch) {
    terminal.out << "  2. explog check " << name << " --self, then explog check " << name << " CANDIDATE\n";
    return;
  }
  terminal.out << "  2. explog check " << name
               << " CANDIDATE; candidate.cu is a draft with the signature of solve()\n"
               << "  3. explog bench " << name << " CANDIDATE, against " << printable(task.baseline)
               << " as PyTorch runs it (--baseline torch.compile: by Inductor)\n";
}

void print_imported_tasks(const Terminal& terminal, const app::ImportedTasks& imported) {
  for (const app::ImportedTaskFolder& task : imported.tasks) {
    terminal.out << terminal.bold("imported " + printable(task.folder)) << " from " << task.layout << '\n';
    for (auto [what, list] :
         {std::pair("took", &task.took), {"guessed", &task.guessed}, {"left out", &task.left_out}}) {
      for (const std::string& line : *list) terminal.out << "  " << what << ": " << printable(line) << '\n';
    }
  }
  for (const std::string& why : imported.refused) terminal.warn({"refused", "refused: " + why});
  if (imported.tasks.empty()) return;
  print_next(terminal, imported.tasks[0]);
}

}  // namespace explog::answers
