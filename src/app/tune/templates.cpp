#include "app/tune/templates.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/tune/heuristics.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/find_task.h"
#include "bench/harness/python.h"
#include "bench/sweep_source.h"
#include "model/backend.h"
#include "model/cuda_knobs.h"
#include "model/kernel_type.h"
#include "model/tuning_space.h"

namespace explog::app {
namespace {

using namespace bench;

// "tune: NUM_WARPS 2 4 8" of a list of values; empty for anything that is no choice.
std::string knob_line(const std::string& name, const std::string& json) {
  Json values = parse_json(json);
  if (!values.is_array() || values.size() < 2) return "";
  std::string line = "tune: " + upper(name);
  for (const Json& value : values)
    line += " " + (value.is_boolean() ? std::string(value.get<bool>() ? "1" : "0") : value.dump());
  return line;
}

TuneTemplate template_of(const Strategy& s) {
  TuneTemplate t{s.id, s.title, {}};
  for (const auto& [name, json] : s.params) {
    if (std::string line = knob_line(name, json); !line.empty()) t.lines.push_back(line);
  }
  return t;
}

TuneTemplate template_of(const FoundSweep& found) {
  TuneTemplate t{found.task + "/" + found.sweep.file, "what the program's own kernel of this type tunes", {}};
  for (const explog::Parameter& p : found.sweep.space.parameters) {
    std::string line = "tune: " + p.name;
    for (const Scalar& value : p.values) line += " " + scalar_text(value);
    t.lines.push_back(line);
  }
  for (const std::string& condition : found.sweep.space.where) t.lines.push_back("tune where: " + condition);
  return t;
}

bool is_for(const Strategy& s, const std::string& family, const std::string& backend) {
  auto has = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  return s.category == "tuning" && has(s.backends, backend) &&
         (s.families.empty() || has(s.families, family));
}

// One of the program's own.
std::optional<Task> built_in_task(const std::string& name) {
  std::vector<std::string> names = embedded_task_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  return find_task(name, "").task;
}

// Without a task: bf16, and sizes that fill any GPU.
void add_estimates(std::vector<TuneTemplate>& list, const TemplateQuestion& question,
                   std::optional<Task> task, const Session& session) {
  bool any = !task;
  if (any) task = find_task("gemm_bf16", "").task;
  Dims shape = {{"M", 4096}, {"N", 4096}, {"K", 4096}};
  if (!question.shape.empty())
    shape = shapes_in(question.shape, *task, session).front();
  else if (!any)
    shape = largest_timed(*task, question.backend);
  HeuristicsTemplate estimated =
      heuristics_template(*task, shape, question.backend, question.gpu, question.python);
  if (!estimated.trouble.empty()) session.warn(estimated.trouble);
  if (estimated.lines) list.push_back(std::move(*estimated.lines));
}

}  // namespace

std::string comment_sign(const std::string& backend) {
  return backend == "cuda" || backend == "host" || backend == "hip" ? "// " : "# ";
}

KnobsInFile knobs_in_file(const std::string& path, const Session& session) {
  std::string text = session.read(path), file = path.substr(path.rfind('/') + 1);
  bool declared = !declared_in_source(text, file).knobs.empty();
  DeclaredSpace all = knobs_in_source(text, file);
  Settings original = tuning_space(all, text, file).original;
  KnobsInFile found;
  for (const Rule& rule : all.rules) found.rules.push_back(rule.name + ": " + rule.expression);
  for (std::size_t i = 0; i < all.knobs.size(); ++i)
    found.knobs.push_back(
        {all.knobs[i].name, all.knobs[i].values, original[i].second, all.knobs[i].place, declared});
  if (!found.knobs.empty() || is_python(file)) return found;
  for (FoundConstant& c : found_in_cuda(text, file))
    found.knobs.push_back({c.knob.name, c.knob.values, c.original, c.knob.place, false, c.needs});
  return found;
}

std::vector<TuneTemplate> tune_templates(const TemplateQuestion& question, const Session& session) {
  auto task = built_in_task(question.type);
  std::string type = canonical_kernel_type(task ? task->kernel_type : question.type);
  if (!is_known_kernel_type(type))
    throw Error(
        Exit::usage,
        "--templates: no kernel type '" + question.type + "'" + did_you_mean(type, known_kernel_types()),
        "as `explog task list` shows them");
  std::string family = family_of(type);
  std::vector<TuneTemplate> list;
  for (const FoundSweep& found : embedded_sweeps(question.backend)) {
    if (family_of(find_task(found.task, "").task.kernel_type) == family) list.push_back(template_of(found));
  }
  const Playbook playbook = session.playbook();
  for (const Strategy& s : playbook.all()) {
    if (is_for(s, family, question.backend)) list.push_back(template_of(s));
  }
  if (family == "gemm" && backend_named(question.backend).on_gpu)
    add_estimates(list, question, task, session);
  std::erase_if(list, [](const TuneTemplate& t) { return t.lines.empty(); });
  return list;
}

}  // namespace explog::app
