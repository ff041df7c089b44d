#include "cli/export_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "answers/results.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_tree.h"
#include "base/text.h"

namespace explog::cli {
namespace {

struct ResultForm {
  std::string_view word;
  std::vector<std::string> benchmarks;  // whose tasks it can tell of
  answers::ResultFiles (*files)(const app::ExportedResults&);
  bool lines = false;  // that can be printed one after the other
};

const std::vector<ResultForm>& forms() {
  static const std::vector<ResultForm> list = {
      {"flashinfer-bench", {sol_exec_bench, flashinfer_bench}, answers::trace_files, true},
      {"kernelbench", {kernel_bench}, answers::kernel_bench_files, false}};
  return list;
}

void print_written(const answers::ResultFiles& made, const app::ExportedResults& found,
                   const Context& context) {
  if (context.json) {
    JsonWriter json;
    answers::begin_answer(json);
    json.field("results", made.results);
    json.field("measurements", found.attempts.size());
    json.field("records", found.records);
    json.key("files");
    json.begin_array();
    for (const auto& [path, text] : made.files) json.text(path);
    json.end_array();
    json.end_object();
    context.terminal.out << json.take() << '\n';
    return;
  }
  for (const auto& [path, text] : made.files) context.terminal.print({answers::Line("wrote " + path)});
  context.terminal.print({answers::Line(fmt::format("{} results of {} measurements ({} records)",
                                                    made.results, found.attempts.size(), found.records))});
}

}  // namespace

std::vector<std::string> result_forms() {
  std::vector<std::string> words;
  for (const ResultForm& form : forms()) words.emplace_back(form.word);
  return words;
}

int export_results(const std::string& word, const std::string& search, const std::string& folder,
                   const Context& context) {
  const ResultForm& form =
      *std::find_if(forms().begin(), forms().end(), [&](const ResultForm& f) { return f.word == word; });
  if (folder.empty() && (!form.lines || context.json))
    throw Error(
        Exit::usage,
        "export --to " + word + (form.lines ? " --json" : "") + " writes a folder: name it with --out",
        "explog export --to " + word + " --out FOLDER");
  expect_writable_folder(folder);
  app::ExportedResults found = app::results_for(form.benchmarks, search, context.session);
  answers::ResultFiles made = form.files(found);
  for (const auto& [why, n] : found.left_out)
    context.session.warn(fmt::format("left out {} {}: {}", n, n == 1 ? "record" : "records", why));
  for (const auto& [why, n] : made.left_out)
    context.session.warn(fmt::format("left out {} {}: {}", n, n == 1 ? "result" : "results", why));
  if (made.results == 0)
    throw Error(
        Exit::negative, "export: no verdict on a task of " + join(form.benchmarks, " or "),
        "`explog task import PATH` makes such a task, `explog bench TASK FILE --record` judges by it");
  if (!folder.empty()) {
    write_files(folder, made.files);
    print_written(made, found, context);
    return 0;
  }
  for (const auto& [path, text] : made.files) {
    for (std::string_view line : split(text, '\n')) {
      if (!line.empty()) context.terminal.out << printable_json(line) << '\n';
    }
  }
  return 0;
}

}  // namespace explog::cli
