#include "bench/plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "bench/harness/capture.h"
#include "bench/harness/device_images.h"
#include "bench/plan/check.h"
#include "bench/plan/library_work.h"
#include "harness/plan_writer.h"

namespace explog::bench {
namespace {

struct ArmSource {
  RunnerArm arm;
  RunnerSetup setup;             // of the process that captures it
  std::string library, name;     // name: for people
  std::set<std::string> images;  // that our compilation put into it
};

struct ArmPlan {
  PlanDecision decision;
  plan::Plan plan;
};

PlanDecision not_captured(const std::string& why) {
  PlanDecision decision;
  decision.judged = Judged::in_process;
  decision.reason = "it cannot be captured: " + why;
  decision.captured = false;
  return decision;
}

// The two plans of one capture, read and held against each other.
ArmPlan decide_capture(const Captured& captured, const std::set<std::string>& images) {
  if (!captured.error.empty()) return {not_captured(captured.error), {}};
  std::array<plan::Plan, 2> plans;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    auto read = read_plan(captured.plans[i]);
    if (auto* fault = std::get_if<std::string>(&read))
      return {{Judged::in_process, "its plan is not whole: " + *fault, {}}, {}};
    plans[i] = std::get<plan::Plan>(std::move(read));
  }
  return {decide(plans[0], plans[1], images), std::move(plans[1])};
}

class Planner {
 public:
  Planner(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder, std::launch how)
      : bench_(bench), toolchain_(bench.builder().toolchain()), folder_(folder), how_(how) {
    const auto& arguments = bench.task().arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].is_output()) outputs_.insert(static_cast<std::uint32_t>(i));
    }
    const std::string& nvcc = toolchain_.compiler;
    for (auto [arm, library, name] : {std::tuple{RunnerArm::baseline, binaries.baseline, "the baseline"},
                                      std::tuple{RunnerArm::candidate, binaries.candidate, "the candidate"}})
      arms_.push_back({arm, bench.capture_setup(library), library, name, images_of(nvcc, library)});
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
  // The plans of one shape, or why there are none. Shapes may be captured side by side.
  PlanDecision shape(std::size_t number, ShapePlans& made) const {
    const Dims& dims = bench_.backend().timed[number];
    Case c = make_case(bench_.task(), dims, bench_.task().distributions[0]);
    std::vector<std::future<Captured>> captured;  // a process that uses the device takes a second to begin
    for (const ArmSource& arm : arms_)
      captured.push_back(std::async(how_, [&] { return capture(arm.setup, arm.library, c); }));
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      const ArmSource& arm = arms_[i];
      ArmPlan planned = decide_capture(captured[i].get(), arm.images);
      if (arm.arm == RunnerArm::candidate) refuse_library(planned);
      if (planned.decision.judged != Judged::replay) return of_arm(arm, dims, std::move(planned.decision));
      auto index = static_cast<std::size_t>(arm.arm);
      made.files[index] = fmt::format("{}/{}.{}", folder_.path(), number, index);
      made.activities[index] = activities_of(planned.plan);
      made.returns[index] = !planned.plan.results.empty();
      if (is_module(arm.library)) {
        for (std::uint32_t image : own_images(planned.plan))
          made.cubins[index].insert(planned.plan.images[image].bytes);
      }
      write_file(made.files[index], plan::write(planned.plan));
    }
    return {};
  }

  // A kernel that is said to be Triton's must be one. Whoever calls a library says that it is Python.
  void refuse_library(ArmPlan& planned) const {
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
  const Workbench& bench_;
  const Toolchain& toolchain_;
  const PrivateFolder& folder_;
  std::launch how_;
  std::set<std::uint32_t> outputs_;  // numbers of arguments
  std::vector<ArmSource> arms_;
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

}  // namespace

Plans make_plans(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder, std::launch how) {
  Plans plans;
  if (bench.setup_for("").cupti.empty()) {
    plans.reason = "there is no CUPTI to capture its work with";
    return plans;
  }
  Planner planner(bench, binaries, folder, how);
  if (!planner.knows_images())
    plans.notes.emplace_back(
        "cuobjdump of the CUDA Toolkit is missing or finds no cubin: whether all kernels come from their "
        "sources was not checked");
  std::vector<PlanDecision> decisions(bench.backend().timed.size());
  plans.shapes.resize(decisions.size());
  std::vector<std::future<void>> captures;
  for (std::size_t i = 0; i < decisions.size(); ++i)
    captures.push_back(std::async(how, [&, i] { decisions[i] = planner.decide_shape(i, plans.shapes[i]); }));
  for (std::future<void>& each : captures) each.get();
  plans.judged = Judged::replay;
  for (const PlanDecision& decision : decisions) {
    if (decision.judged == Judged::replay) continue;
    plans.judged = decision.judged;
    plans.reason = decision.reason;
    plans.captured = decision.captured;
    plans.fault = decision.fault;
    return plans;
  }
  write_cubins(plans.shapes, binaries);
  if (std::string note = note_of_returned(plans.shapes); !note.empty()) plans.notes.push_back(note);
  return plans;
}

}  // namespace explog::bench
