#include "bench/plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "bench/captured_plan.h"
#include "bench/cases.h"
#include "bench/harness/capture.h"
#include "bench/harness/device_images.h"
#include "bench/harness/python_texts.h"
#include "bench/plan/library_work.h"
#include "bench/shared_processes.h"
#include "harness/plan_writer.h"

namespace explog::bench {
namespace {

struct ArmSource {
  RunnerArm arm;
  RunnerSetup setup;             // of the process that captures it
  std::string library, name;     // name: for people
  std::set<std::string> images;  // that our compilation put into it
  std::shared_future<std::vector<Captured>> shapes = {};
};

std::vector<Case> cases_of(Workbench& bench) {
  std::vector<Case> cases;
  for (const Dims& dims : bench.backend().timed)
    cases.push_back(make_case(bench.task(), dims, bench.task().distributions[0]));
  return cases;
}

class Planner {
 public:
  // Begins a capture of each arm at all shapes: a process that uses the device takes a second to begin.
  Planner(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder, std::launch how,
          SharedCaptures* shared)
      : toolchain_(bench.builder().toolchain()), folder_(folder), cases_(cases_of(bench)) {
    const auto& arguments = bench.task().arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].is_output()) outputs_.insert(static_cast<std::uint32_t>(i));
    }
    const std::string& nvcc = toolchain_.compiler;
    for (auto [arm, library, name] : {std::tuple{RunnerArm::baseline, binaries.baseline, "the baseline"},
                                      std::tuple{RunnerArm::candidate, binaries.candidate, "the candidate"}})
      arms_.push_back({arm, bench.capture_setup(library), library, name, images_of(nvcc, library)});
    if (shared) asked_ = shared->inputs();
    for (ArmSource& arm : arms_) {
      auto make = [setup = arm.setup, library = arm.library, cases = cases_, asked = asked_] {
        return capture(setup, library, cases, asked);
      };
      arm.shapes = shared ? shared->of(arm.library, make) : std::async(how, make).share();
    }
  }

  // Without the toolkit's tool nobody knows what our compilation put into a library. What Python compiles, it compiles
  // itself.
  bool knows_images() const {
    return std::none_of(arms_.begin(), arms_.end(),
                        [](const ArmSource& arm) { return arm.images.empty() && !is_module(arm.library); });
  }

  // The same where a capture cannot even begin: nobody's fault.
  PlanDecision decide_shape(std::size_t number, ShapePlans& made) const {
    try {
      return shape(number, made);
    } catch (const std::exception& e) {
      return not_captured(e.what());
    }
  }

 private:
  // The plans of one shape, or why there are none.
  PlanDecision shape(std::size_t number, ShapePlans& made) const {
    const Dims& dims = cases_[number].dims;
    made.asked = asked_;
    PlanDecision replayed;
    for (const ArmSource& arm : arms_) {
      CapturedPlan planned = plan_of(arm, number);
      if (arm.arm == RunnerArm::candidate) {
        refuse_library(planned);
        made.chosen = planned.chosen;
      }
      if (planned.decision.judged != Judged::replay) return of_arm(arm, dims, std::move(planned.decision));
      auto index = static_cast<std::size_t>(arm.arm);
      made.files[index] = fmt::format("{}/{}.{}", folder_.path(), number, index);
      made.direct[index] = std::move(planned.direct);
      made.activities[index] = activities_of(planned.plan);
      made.returns[index] = !planned.plan.results.empty();
      if (is_module(arm.library)) {
        for (std::uint32_t image : own_images(planned.plan))
          made.cubins[index].insert(planned.plan.images[image].bytes);
      }
      write_file(made.files[index], plan::write(planned.plan));
      for (const std::string& note : planned.decision.notes)
        replayed.notes.push_back(fmt::format("{}: {}, {}", dims_text(dims), arm.name, note));
    }
    return replayed;
  }

  // What a kernel leaves behind at one shape may keep it from a replay at the next: then it is captured by itself.
  CapturedPlan plan_of(const ArmSource& arm, std::size_t number) const {
    const Captured& beside = arm.shapes.get()[number];
    CapturedPlan planned = read_captured(beside, arm.images);
    if (planned.decision.judged != Judged::in_process || cases_.size() == 1 || !beside.in_time)
      return planned;
    return read_captured(capture(arm.setup, arm.library, {cases_[number]}, asked_).front(), arm.images);
  }

  // A kernel that is said to be Triton's must be one. Whoever calls a library says that it is Python.
  void refuse_library(CapturedPlan& planned) const {
    const Backend& backend = toolchain_.row();
    if (planned.decision.judged != Judged::replay || !backend.in_python || backend.recorded == "other")
      return;
    std::string kernel = only_library_writes(planned.plan, outputs_);
    if (kernel.empty()) return;
    planned.decision.judged = Judged::refused;
    planned.decision.fault = "library_work";
    planned.decision.reason = fmt::format(
        "a library's kernel does the work ({}), none of {}'s own is given an output; --backend python judges "
        "it "
        "as what it is",
        printable(kernel).substr(0, 80), backend.name);
  }

  // A baseline that cannot be replayed is nobody's fault: both are timed in one process then.
  static PlanDecision of_arm(const ArmSource& arm, const Dims& dims, PlanDecision decision) {
    if (arm.arm == RunnerArm::baseline) decision.judged = Judged::in_process;
    decision.reason = fmt::format("{}: {}, {}", dims_text(dims), arm.name, decision.reason);
    return decision;
  }
  static std::set<std::string> images_of(const std::string& nvcc, const std::string& library) {
    return is_module(library) ? std::set<std::string>{} : device_images(nvcc, library);
  }
  const Toolchain& toolchain_;
  const PrivateFolder& folder_;
  SampleOrder asked_{0, secret_seed(), secret_seed() | 1};  // of direct calls, and of no timed one
  std::vector<Case> cases_;                                 // of the timed shapes
  std::set<std::uint32_t> outputs_;                         // numbers of arguments
  std::vector<ArmSource> arms_;                             // last: its captures use what is above
};

// What a reader of the times must know of arrays that a call returns.
std::string note_of_returned(const std::vector<ShapePlans>& shapes) {
  auto returns = [&](RunnerArm arm) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const ShapePlans& s) { return s.returns[static_cast<std::size_t>(arm)]; });
  };
  bool candidate = returns(RunnerArm::candidate), baseline = returns(RunnerArm::baseline);
  if (!candidate && !baseline) return "";
  return fmt::format("{} what {} instead of writing it: its copy to the outputs is not timed",
                     candidate && baseline ? "candidate and baseline return"
                     : candidate           ? "the candidate returns"
                                           : "the baseline returns",
                     candidate && baseline ? "they compute" : "it computes");
}

// Beside a candidate in Python: what was compiled of it, of all that its compilers keep.
void write_cubins(const std::vector<ShapePlans>& shapes, const Binaries& binaries) {
  for (auto [arm, library] :
       {std::pair{RunnerArm::baseline, binaries.baseline}, {RunnerArm::candidate, binaries.candidate}}) {
    std::set<std::string> cubins;
    for (const ShapePlans& shape : shapes)
      cubins.insert(shape.cubins[static_cast<std::size_t>(arm)].begin(),
                    shape.cubins[static_cast<std::size_t>(arm)].end());
    std::string all;
    for (const std::string& cubin : cubins) all += cubin;
    if (!all.empty()) write_file(library + ".cubin", all);
  }
}

// Beside a candidate in Python: what it tuned itself to when it was captured; nothing of an earlier time.
void write_chosen(const std::vector<ShapePlans>& shapes, const std::string& product) {
  if (!is_module(product)) return;
  std::string all;
  for (const ShapePlans& shape : shapes) {
    if (!all.ends_with(shape.chosen)) all += shape.chosen;
  }
  write_file(product + std::string(chosen_ending), all);
}

}  // namespace

Plans make_plans(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder, std::launch how,
                 SharedCaptures* shared) {
  Plans plans;
  if (bench.setup_for("").cupti.empty()) {
    plans.reason = "there is no CUPTI to capture its work with";
    return plans;
  }
  Planner planner(bench, binaries, folder, how, shared);
  if (!planner.knows_images())
    plans.notes.emplace_back(
        "cuobjdump of the CUDA Toolkit is missing or finds no cubin: whether all kernels come from their "
        "sources was not checked");
  plans.shapes.resize(bench.backend().timed.size());
  for (std::size_t i = 0; i < plans.shapes.size(); ++i) {
    PlanDecision decision = planner.decide_shape(i, plans.shapes[i]);
    plans.notes.insert(plans.notes.end(), decision.notes.begin(), decision.notes.end());
    if (decision.judged == Judged::replay) continue;
    plans.judged = decision.judged;
    plans.reason = decision.reason;
    plans.captured = decision.captured;
    plans.fault = decision.fault;
    return plans;
  }
  plans.judged = Judged::replay;
  write_cubins(plans.shapes, binaries);
  write_chosen(plans.shapes, binaries.candidate);
  if (std::string note = note_of_returned(plans.shapes); !note.empty()) plans.notes.push_back(note);
  return plans;
}

}  // namespace explog::bench
