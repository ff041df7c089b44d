#include "bench/fitting_ladder.h"

#include <algorithm>

#include "base/error.h"
#include "bench/find_source.h"
#include "bench/judge/case.h"
#include "bench/judge/signature.h"
#include "model/backend.h"

namespace explog::bench {
namespace {

// For each argument of `theirs`, as parameters of solve(), the index of the argument of `mine` that is passed there.
std::vector<std::size_t> passed(const Task& theirs, const Task& mine) {
  Signature names;
  for (const Argument& a : theirs.arguments) names.parameters.push_back({"", a.name, false, false});
  return argument_order(names, mine);
}

const std::vector<Dims>& shapes_of(const Task& task, const std::string& backend) {
  for (const std::string& name : {backend, stands_on(backend)}) {
    auto row = std::find_if(task.backends.begin(), task.backends.end(),
                            [&](const TaskBackend& b) { return b.name == name; });
    if (row != task.backends.end()) return row->timed;
  }
  return task.hidden;
}

// A kernel in Python may look at an array's shape, a compiled one gets its address.
bool is_same(const Operand& a, const Operand& b, bool in_python) {
  return a.argument->dtype == b.argument->dtype && a.argument->role == b.argument->role &&
         a.count == b.count && a.value == b.value && (!in_python || a.shape == b.shape);
}

// A shape of one's own may have no meaning for the other task.
std::optional<Case> case_at(const Task& task, const Dims& dims) {
  try {
    return make_case(task, dims, task.distributions.front());
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_same_at(const Dims& dims, const Task& theirs, const Task& mine, const std::vector<std::size_t>& order,
                bool in_python) {
  const std::optional<Case> there = case_at(theirs, dims), here = case_at(mine, dims);
  if (!there || !here) return false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!is_same(there->operands[i], here->operands[order[i]], in_python)) return false;
  }
  return true;
}

}  // namespace

SourceFile FittingLadder::source_of(const std::string& file) const {
  if (auto source = embedded_source(task, file)) return *source;
  throw Error(Exit::usage, "task " + task + " has no file " + file);
}

bool fits(const Task& theirs, const Task& mine, const std::string& backend) {
  auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  if (theirs.kernel_type != mine.kernel_type || theirs.intermediate != mine.intermediate ||
      sorted(theirs.dims) != sorted(mine.dims) || theirs.arguments.size() != mine.arguments.size())
    return false;
  const std::vector<std::size_t> order = passed(theirs, mine);
  const std::vector<Dims>& shapes = shapes_of(mine, backend);
  return std::all_of(shapes.begin(), shapes.end(), [&](const Dims& dims) {
    return is_same_at(dims, theirs, mine, order, backend_named(backend).in_python);
  });
}

std::optional<FittingLadder> ladder_for(const FoundTask& mine, const std::string& backend) {
  const std::vector<Step> all = ladder_steps(backend);
  auto ladder_of = [&](const std::string& task) {
    FittingLadder ladder{task, naive_of(backend), {}};
    std::copy_if(all.begin(), all.end(), std::back_inserter(ladder.steps),
                 [&](const Step& step) { return step.task == task; });
    return ladder.steps.empty() ? std::nullopt : std::optional(std::move(ladder));
  };
  if (is_built_in(mine.task.name, mine.hash)) return ladder_of(mine.task.name);
  for (const std::string& name : embedded_task_names()) {
    auto ladder = ladder_of(name);
    if (ladder && fits(embedded_task(name).task, mine.task, backend)) return ladder;
  }
  return std::nullopt;
}

}  // namespace explog::bench
