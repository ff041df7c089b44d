#include "app/calibrate/ladder_steps.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "app/calibrate/gpu_workers.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/harness/python.h"
#include "bench/harness/python_probe.h"
#include "bench/ladder.h"
#include "model/backend.h"

namespace explog::app {

using namespace bench;

namespace {

PythonProbe python_here() {
  try {
    return probe_python(find_python());
  } catch (const Error& e) {
    PythonProbe none;
    none.error = e.what();
    return none;
  }
}

// Why a language cannot be measured with this interpreter; empty where it can.
std::string why_not(const PythonProbe& python, const std::string& backend) {
  if (!python.error.empty()) return python.error;
  std::vector<PythonLack> lacks = missing_for(python, backend);
  return lacks.empty() ? "" : "lacks " + lacks.front().what;
}

}  // namespace

std::vector<Step> steps_of(const CalibrateOptions& o) {
  std::vector<Step> all = ladder_steps(o.backend), chosen;
  if (all.empty()) {
    std::vector<std::string> with_ladders = backend_names();
    std::erase_if(with_ladders, [](const std::string& name) { return ladder_steps(name).empty(); });
    throw Error(Exit::usage, "--backend: " + o.backend + " has no ladder",
                "one of: " + join(with_ladders, ", "));
  }
  std::vector<std::string> names;
  for (const Step& s : all) {
    if (names.empty() || names.back() != s.task) names.push_back(s.task);
    if (is_wanted(o, s.task)) chosen.push_back(s);
  }
  check_families(o, names, "ladder");
  return chosen;
}

bool is_measured(const Measurement& m, const std::string& gpu, const std::vector<Dims>& timed) {
  if (m.gpu != gpu) return false;
  if (m.correctness != "pass") return true;
  return std::all_of(timed.begin(), timed.end(), [&](const Dims& dims) {
    return !m.runs.empty() && std::any_of(m.runs.back().shapes.begin(), m.runs.back().shapes.end(),
                                          [&](const ShapeRun& shape) { return shape.dims == dims; });
  });
}

std::vector<CalibrateOptions> by_backend(const CalibrateOptions& o, const Session& session) {
  std::vector<CalibrateOptions> each = {o};
  if (!o.backend.empty()) return each;
  each.front().backend = backends().front().name;
  steps_of(each.front());  // has all families: whatever it does not know is unknown
  std::map<std::string, std::vector<std::string>> left_out;  // by reason
  std::optional<PythonProbe> python;                         // asked once, if at all
  for (const Backend& language : backends()) {
    if (!language.in_python) continue;
    CalibrateOptions own = o;
    own.backend = language.name, own.families.clear();
    for (const Step& step : ladder_steps(language.name)) {
      if (is_wanted(o, step.task) && (own.families.empty() || own.families.back() != step.task))
        own.families.push_back(step.task);
    }
    if (own.families.empty()) continue;
    if (!python) python = python_here();
    std::string why = why_not(*python, language.name);
    why.empty() ? each.push_back(own) : left_out[why].push_back(language.name);
  }
  std::vector<std::string> texts;
  for (const auto& [why, names] : left_out) texts.push_back(join(names, ", ") + " (" + why + ")");
  if (!texts.empty())
    session.warn("steps left out: " + join(texts, ", ") +
                 "; `explog doctor` says how to install what is missing");
  return each;
}

std::vector<Step> chosen_steps(const CalibrateOptions& o, const Session& session) {
  std::vector<Step> all;
  for (const CalibrateOptions& own : by_backend(o, session)) {
    std::vector<Step> steps = steps_of(own);
    std::move(steps.begin(), steps.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace explog::app
