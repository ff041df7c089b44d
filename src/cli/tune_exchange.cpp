// tune export and import: results in our own forms, configurations in those of others.
#include "app/tune/configs.h"

#include "answers/tune.h"
#include "app/tune/store.h"
#include "app/tune/t4.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_tree.h"
#include "cli/tune_flags.h"

namespace explog::cli {
namespace {

constexpr std::size_t most_shown = 20;

void warn_of(const std::vector<std::string>& lines, const Context& context) {
  for (std::size_t i = 0; i < lines.size() && i < most_shown; ++i) context.session.warn(lines[i]);
  if (lines.size() > most_shown)
    context.session.warn(std::to_string(lines.size() - most_shown) + " more of these");
}

int export_configs(const TuneFlags& f, const Context& context) {
  if (app::is_tree_runtime(f.to) && f.out.empty())
    throw Error(Exit::usage, "tune export --to " + f.to + " writes a folder: name it with --out",
                "explog tune export --to " + f.to + " --out FOLDER");
  std::string name = f.words.size() > 1 ? f.words[1] : "";
  app::ExportedConfigs exported = app::export_configs(f.to, name, context.session);
  warn_of(exported.left_out, context);
  if (exported.files.empty())
    throw Error(Exit::negative, "tune export: nothing for " + f.to,
                "`explog tune TASK FILE` makes results, `explog tune import FILE` takes others'");
  if (!app::is_tree_runtime(f.to)) {
    const std::string& text = exported.files.front().second;
    f.out.empty() ? void(context.terminal.out << text) : write_file(f.out, text);
    return 0;
  }
  write_files(f.out, exported.files);
  answers::print_exported_configs(context.terminal, exported, f.to, f.out, context.json);
  return 0;
}

int import_configs(const TuneFlags& f, const Context& context) {
  app::ImportedConfigs imported = app::import_configs(f.words[1], f.from, context.session);
  warn_of(imported.remarks, context);
  warn_of(imported.refused, context);
  answers::print_imported_configs(context.terminal, imported, context.json);
  return static_cast<int>(imported.rejected > 0 ? Exit::quarantined : Exit::ok);
}

}  // namespace

std::vector<app::StoredTuned> results_for(const TuneFlags& f, const std::string& form,
                                          const Context& context) {
  if (f.words.size() > 2)
    throw Error(Exit::usage, "tune " + form + ": unexpected '" + f.words[2] + "'",
                "explog tune " + form + " [TASK]");
  return app::stored_results(f.words.size() > 1 ? f.words[1] : "", context.session);
}

std::string no_results(const TuneFlags& f) {
  return f.words.size() > 1 ? "no results of task " + f.words[1] : "no results";
}

std::string how_to_have_results(const TuneFlags& f) {
  return f.words.size() > 1 ? "`explog tune show` lists those of all tasks"
                            : "`explog tune TASK FILE` makes some";
}

int run_tune_export(const TuneFlags& f, const Context& context) {
  if (f.to != "json" && f.to != "header" && f.to != "kernel_tuner_t4") return export_configs(f, context);
  std::vector<app::StoredTuned> results = results_for(f, "export", context);
  if (results.empty()) throw Error(Exit::negative, "tune export: " + no_results(f), how_to_have_results(f));
  std::string text = f.to == "header"            ? app::exported_header(results.front().tuned)
                     : f.to == "kernel_tuner_t4" ? app::exported_t4(results.front(), context.session)
                                                 : app::exported_json(results);
  if (f.out.empty())
    context.terminal.out << text;
  else
    write_file(f.out, text);
  return 0;
}

int run_tune_import(const TuneFlags& f, const Context& context) {
  if (f.words.size() != 2)
    throw Error(Exit::usage, "tune import: name one file", "explog tune import results.json");
  if (!f.from.empty() || app::is_configs_path(f.words[1])) return import_configs(f, context);
  app::ImportedTuned imported = app::import_results(f.words[1], context.session);
  if (context.json)
    context.terminal.out << "{\"format\":1,\"added\":" << imported.added
                         << ",\"skipped\":" << imported.skipped << "}\n";
  else
    context.terminal.out << imported.added << " results added, " << imported.skipped << " there already\n";
  return 0;
}

}  // namespace explog::cli
