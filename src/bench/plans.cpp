#include "bench/plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/file.h"
#include "bench/harness/capture.h"
#include "bench/harness/device_images.h"
#include "bench/plan/check.h"
#include "harness/plan_writer.h"

namespace explog::bench {
namespace {

struct ArmSource {
  RunnerArm arm;
  std::string library, name;     // name: for people
  std::set<std::string> images;  // that our compilation put into it
};

struct ArmPlan {
  PlanDecision decision;
  plan::Plan plan;
};

// The two plans of one capture, read and held against each other.
ArmPlan decide_capture(const Captured& captured, const std::set<std::string>& images) {
  if (!captured.error.empty())
    return {{Judged::in_process, "it cannot be captured: " + captured.error, {}}, {}};
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
  Planner(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder)
      : bench_(bench), folder_(folder), setup_(bench.setup()) {
    setup_.program = bench.builder().capture();
    setup_.lazy_loading = true;
    const std::string& nvcc = bench.builder().toolchain().compiler;
    for (auto [arm, library, name] : {std::tuple{RunnerArm::baseline, binaries.baseline, "the baseline"},
                                      std::tuple{RunnerArm::candidate, binaries.candidate, "the candidate"}})
      arms_.push_back({arm, library, name, device_images(nvcc, library)});
  }

  // Without the toolkit's tool nobody knows what our compilation put into a library.
  bool knows_images() const {
    return std::none_of(arms_.begin(), arms_.end(), [](const ArmSource& arm) { return arm.images.empty(); });
  }

  // The plans of one shape, or why there are none.
  PlanDecision shape(const Dims& dims, Plans& plans) {
    Case c = make_case(bench_.task(), dims, bench_.task().distributions[0]);
    ShapePlans made;
    for (const ArmSource& arm : arms_) {
      ArmPlan planned = decide_capture(capture(setup_, arm.library, c), arm.images);
      if (planned.decision.judged != Judged::replay) return of_arm(arm, dims, std::move(planned.decision));
      auto index = static_cast<std::size_t>(arm.arm);
      made.files[index] = fmt::format("{}/{}.{}", folder_.path(), plans.shapes.size(), index);
      made.activities[index] = activities_of(planned.plan);
      write_file(made.files[index], plan::write(planned.plan));
    }
    plans.shapes.push_back(std::move(made));
    return {};
  }

 private:
  // A baseline that cannot be replayed is nobody's fault: both are timed in one process then.
  static PlanDecision of_arm(const ArmSource& arm, const Dims& dims, PlanDecision decision) {
    if (arm.arm == RunnerArm::baseline) decision.judged = Judged::in_process;
    decision.reason = fmt::format("{}: {}, {}", dims_text(dims), arm.name, decision.reason);
    return decision;
  }
  Workbench& bench_;
  const PrivateFolder& folder_;
  RunnerSetup setup_;
  std::vector<ArmSource> arms_;
};

}  // namespace

Plans make_plans(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder,
                 const Progress& progress) {
  Plans plans;
  if (bench.setup().cupti.empty()) {
    plans.reason = "there is no CUPTI to capture its work with";
    return plans;
  }
  Planner planner(bench, binaries, folder);
  if (!planner.knows_images())
    plans.notes.emplace_back(
        "cuobjdump of the CUDA Toolkit is missing or finds no cubin: whether all kernels come from their "
        "sources was not checked");
  for (const Dims& dims : bench.backend().timed) {
    progress("capturing the work of " + dims_text(dims));
    PlanDecision decision = planner.shape(dims, plans);
    if (decision.judged == Judged::replay) continue;
    plans.judged = decision.judged;
    plans.reason = decision.reason;
    return plans;
  }
  plans.judged = Judged::replay;
  return plans;
}

}  // namespace explog::bench
