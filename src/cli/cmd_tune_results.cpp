// tune lookup, show, --templates and --knobs, and which of the verbs is asked for: results that are there.
#include "answers/answer.h"
#include "answers/tune.h"
#include "app/tune/store.h"
#include "base/error.h"
#include "cli/tune_flags.h"

namespace explog::cli {
namespace {

int run_lookup(const TuneFlags& f, const Context& context) {
  if (f.words.size() != 3)
    throw Error(Exit::usage, "tune lookup: name a task and the kernel's file",
                "explog tune lookup transpose MINE.cu");
  app::LookupOptions o{f.tune.names, f.tune.shapes, f.gpu};
  o.names.task = f.words[1];
  o.names.candidate = f.words[2];
  app::TuneLookup lookup = app::look_up(o, context.session);
  if (context.json)
    context.terminal.out << answers::lookup_json(lookup) << '\n';
  else
    answers::print_lookup(context.terminal, lookup);
  return lookup.source == "none" ? static_cast<int>(Exit::negative) : 0;
}

int run_show(const TuneFlags& f, const Context& context) {
  std::vector<app::StoredTuned> results = results_for(f, "show", context);
  if (context.json) {
    context.terminal.out << app::exported_json(results);
  } else {
    answers::RowPrinter printer(context.terminal, f.format.format(context));
    answers::print_results(printer, results);
  }
  if (results.empty()) context.session.warn(no_results(f) + "; " + how_to_have_results(f));
  return results.empty() ? static_cast<int>(Exit::negative) : 0;
}

int run_templates(const TuneFlags& f, const Context& context) {
  std::string backend = f.tune.names.backend.empty() ? "cuda" : f.tune.names.backend;
  auto templates =
      app::tune_templates({f.templates, backend, f.tune.shapes, f.gpu, f.tune.names.python}, context.session);
  if (context.json)
    context.terminal.out << answers::templates_json(templates) << '\n';
  else
    answers::print_templates(context.terminal, templates, app::comment_sign(backend));
  if (templates.empty()) context.session.warn("no template for " + f.templates + " with " + backend);
  return templates.empty() ? static_cast<int>(Exit::negative) : 0;
}

int run_knobs(const TuneFlags& f, const Context& context) {
  const app::KnobsInFile found = app::knobs_in_file(f.knobs, context.session);
  std::string sign = f.knobs.ends_with(".py") ? "# " : "// ";
  context.json ? void(context.terminal.out << answers::knobs_json(found) << '\n')
               : answers::print_knobs(context.terminal, found, sign);
  if (found.knobs.empty()) context.session.warn(f.knobs + " declares no knobs, and none are found in it");
  return static_cast<int>(found.knobs.empty() ? Exit::negative : Exit::ok);
}

using Run = int (*)(const TuneFlags&, const Context&);
constexpr std::pair<std::string_view, Run> verbs[] = {
    {"lookup", run_lookup}, {"show", run_show}, {"export", run_tune_export}, {"import", run_tune_import}};

Run run_for(const TuneFlags& f) {
  if (!f.templates.empty()) return run_templates;
  if (!f.knobs.empty()) return run_knobs;
  for (const auto& [word, run] : verbs) {
    if (!f.words.empty() && f.words[0] == word) return run;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> result_words() {
  std::vector<std::string> list;
  for (const auto& [word, run] : verbs) list.emplace_back(word);
  return list;
}

bool is_about_results(const TuneFlags& f) { return run_for(f) != nullptr; }

int run_tune_results(const TuneFlags& f, const Context& context) { return run_for(f)(f, context); }

}  // namespace explog::cli
