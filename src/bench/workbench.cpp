#include "bench/workbench.h"

#include "base/error.h"

namespace explog::bench {

const TaskBackend& backend_of(const Task& task, const std::string& backend) {
  if (const TaskBackend* found = task.backend(backend)) return *found;
  throw Error(Exit::usage, "task " + task.name + " has no backend '" + backend + "'",
              "add it to \"backends\" in task.json");
}

Workbench::Workbench(FoundTask found, Toolchain toolchain)
    : found_(std::move(found)), builder_(std::move(toolchain)) {
  backend();  // that there is one
  runner_ = builder_.runner();
}

RunnerSetup Workbench::setup() const {
  return {runner_, {}, builder_.toolchain().cupti, builder_.toolchain().gpu};
}

Runner Workbench::start_replay() {
  RunnerSetup s = setup();
  s.program = builder_.replay();
  return start(s);
}

Runner Workbench::start_runner(bool use_cupti) const {
  RunnerSetup s = setup();
  s.use_cupti = use_cupti;
  return start(s);
}

Runner Workbench::start(const RunnerSetup& setup) const {
  try {
    return Runner(setup, folder);
  } catch (const Failed& f) {
    throw Error(Exit::unavailable, "the runner cannot start: " + f.detail,
                f.reason == "no_gpu" ? "use --backend host on a machine without a GPU" : "");
  }
}

TrustedProcesses::TrustedProcesses(Workbench& bench, const Binaries& binaries)
    : reference(binaries.reference, bench.folder, bench.inputs), baseline(bench.start_runner()) {
  try {
    baseline.load(RunnerArm::baseline, binaries.baseline);
  } catch (const Failed& f) {
    throw Error(Exit::usage, "the baseline " + bench.backend().baseline + " cannot be loaded: " + f.detail);
  }
}

}  // namespace explog::bench
