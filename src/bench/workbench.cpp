#include "bench/workbench.h"

#include <filesystem>
#include <future>

#include "base/error.h"
#include "base/text.h"
#include "bench/harness/python.h"
#include "bench/harness/python_candidate.h"

namespace explog::bench {
namespace {

template <class Body>
auto or_unavailable(Body&& body) {
  try {
    return body();
  } catch (const Failed& f) {
    throw Error(Exit::unavailable, "the runner cannot start: " + f.detail,
                f.reason == "no_gpu" ? "use --backend host on a machine without a GPU" : "");
  }
}

// The folder that nvcc's bin/ lies in.
std::string toolkit_of(const std::string& nvcc) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(nvcc, ignored).parent_path().parent_path().string();
}

void load_trusted(Runner& runner, const std::string& product, const std::string& name) {
  Workbench::greet(runner);
  try {
    runner.load(RunnerArm::baseline, product);
  } catch (const Failed& f) {
    throw Error(Exit::usage, "the baseline " + name + " cannot be loaded: " + f.detail);
  }
}

}  // namespace

void build_harness(const Toolchain& toolchain) {
  if (!toolchain.row().on_gpu) return;  // one program
  Builder builder(toolchain);
  std::vector<std::string (Builder::*)()> programs = {&Builder::runner, &Builder::replay, &Builder::capture};
  if (!toolchain.python.empty())
    programs.insert(programs.end(), {&Builder::runner_library, &Builder::capture_library});
  std::vector<std::future<std::string>> built;
  for (auto program : programs)
    built.push_back(std::async(std::launch::async, [&builder, program] { return (builder.*program)(); }));
}

const TaskBackend& backend_of(const Task& task, const std::string& backend) {
  if (const TaskBackend* found = task.backend(backend)) return *found;
  std::string shared = stands_on(backend),
              missing = "task " + task.name + " has no backend '" + backend + "'";
  if (shared.empty()) throw Error(Exit::usage, missing, "add it to \"backends\" in task.json");
  std::string elsewhere = task.backend("numpy") ? "; --backend numpy judges what uses NumPy" : "";
  throw Error(Exit::usage, missing + " and no '" + shared + "', whose shapes and baseline it would share",
              "add '" + shared + "' to \"backends\" in task.json" + elsewhere);
}

Workbench::Workbench(FoundTask found, Toolchain toolchain)
    : given(found.folder), found_(std::move(found)), builder_(std::move(toolchain)) {
  backend();  // that there is one
  const Toolchain& t = builder_.toolchain();
  compiled_.program = builder_.runner();
  compiled_.cupti = t.cupti;
  compiled_.gpu = t.gpu;
  if (t.python.empty()) return;
  python_ = compiled_;
  python_.program = builder_.runner_library();
  python_.interpreter = {t.python, "-I", "-s", "-u", builder_.python_runner()};
  // Beside a candidate that is compiled, a baseline of PyTorch.
  python_.imports = t.row().in_python ? join(t.row().imports, " ") : t.row().on_gpu ? "torch" : "numpy";
  python_.tools = t.tools;
  if (t.row().on_gpu) python_.toolkit = toolkit_of(t.compiler);
  python_.lazy_loading = true;  // libraries bring thousands of kernels
}

RunnerSetup Workbench::setup_for(const std::string& product) const {
  if (!is_module(product)) return compiled_;
  RunnerSetup s = python_;
  s.writable = product + "/" + std::string(python_cache);
  return s;
}

RunnerSetup Workbench::capture_setup(const std::string& product) {
  RunnerSetup s = setup_for(product);
  s.program = is_module(product) ? builder_.capture_library() : builder_.capture();
  s.lazy_loading = true;
  return s;
}

ReferenceSetup Workbench::reference_setup(const std::string& program) const {
  const Toolchain& toolchain = builder_.toolchain();
  std::string python = !is_python(task().reference) ? ""
                       : toolchain.python.empty()   ? find_python()
                                                    : toolchain.python;
  return {program, python, toolchain.gpu, toolchain.row().on_gpu};
}

Runner Workbench::begin_replay() {
  RunnerSetup s = compiled_;
  s.program = builder_.replay();
  s.replays = true;
  return Runner(s, folder, Hello::later);
}

Runner Workbench::start_runner(const std::string& product, bool use_cupti) const {
  RunnerSetup s = setup_for(product);
  s.use_cupti = use_cupti;
  return start(s);
}

Runner Workbench::begin_runner(const std::string& product, bool use_cupti) const {
  RunnerSetup s = setup_for(product);
  s.use_cupti = use_cupti;
  return Runner(s, folder, Hello::later);
}

Runner Workbench::start_search_runner(const std::string& caches) const {
  if (caches.empty()) return Runner(compiled_, folder, Hello::later);
  RunnerSetup s = python_;
  s.writable = caches;
  return Runner(s, folder, Hello::later);
}

void Workbench::greet(Runner& runner) {
  or_unavailable([&] { runner.hello(); });
}

Runner Workbench::start(const RunnerSetup& setup) const {
  return or_unavailable([&] { return Runner(setup, folder); });
}

TrustedProcesses::TrustedProcesses(Workbench& bench, const Binaries& binaries)
    : reference(bench.reference_setup(binaries.reference), bench.task(), bench.folder, bench.inputs),
      baseline(bench.begin_runner(binaries.baseline)),
      yardstick(binaries.yardstick.empty() ? nullptr : new Runner(bench.begin_runner(binaries.yardstick))),
      baseline_name(binaries.baseline_name) {
  load_trusted(baseline, binaries.baseline, baseline_name);
  if (yardstick) load_trusted(*yardstick, binaries.yardstick, bench.backend().baseline);
}

TrustedProcesses::~TrustedProcesses() {
  reference.abandon();
  baseline.abandon();
  if (yardstick) yardstick->abandon();
}

}  // namespace explog::bench
