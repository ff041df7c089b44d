#include "bench/workbench.h"

#include <algorithm>
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

std::future<void> begin_harness(const Toolchain& toolchain) {
  std::vector<std::string (Builder::*)()> programs = {&Builder::runner};
  const bool gpu = toolchain.row().on_gpu, python = !toolchain.python.empty();
  if (gpu) programs.insert(programs.end(), {&Builder::replay, &Builder::capture});
  if (python) programs.push_back(&Builder::runner_library);
  if (gpu && python) programs.push_back(&Builder::capture_library);
  return std::async(std::launch::async, [toolchain, programs] {
    Builder builder(toolchain);
    std::vector<std::future<std::string>> built;
    for (auto program : programs)
      built.push_back(std::async(std::launch::async, [&builder, program] { return (builder.*program)(); }));
  });
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
  runner_ = std::async(std::launch::deferred, [own = Builder(t)]() mutable { return own.runner(); });
  compiled_.cupti = t.cupti;
  compiled_.gpu = t.gpu;
  if (t.python.empty()) return;
  python_ = compiled_;
  library_ = std::async(std::launch::deferred, [own = Builder(t)]() mutable { return own.runner_library(); });
  python_.interpreter = {t.python, "-I", "-s", "-u", builder_.python_runner()};
  // Beside a candidate that is compiled, a baseline of PyTorch.
  python_.imports = t.row().in_python ? join(t.row().imports, " ") : t.row().on_gpu ? "torch" : "numpy";
  python_.tools = t.tools;
  if (t.row().on_gpu) python_.toolkit = toolkit_of(t.compiler);
  python_.lazy_loading = true;  // libraries bring thousands of kernels
}

std::size_t Workbench::largest_timed() const {
  const auto& timed = backend().timed;
  auto smaller = [](const Dims& a, const Dims& b) { return volume(a) < volume(b); };
  return static_cast<std::size_t>(std::max_element(timed.begin(), timed.end(), smaller) - timed.begin());
}

std::future<void> Workbench::begin_programs() const {
  return std::async(std::launch::async, [runner = runner_, library = library_] {
    runner.wait();
    if (library.valid()) library.wait();
  });
}

RunnerSetup Workbench::compiled() const {
  RunnerSetup s = compiled_;
  s.program = runner_.get();
  return s;
}

RunnerSetup Workbench::in_interpreter() const {
  RunnerSetup s = python_;
  s.program = library_.get();
  return s;
}

RunnerSetup Workbench::setup_for(const std::string& product) const {
  if (!is_module(product)) return compiled();
  RunnerSetup s = in_interpreter();
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

RunnerSetup Workbench::replay_setup() {
  RunnerSetup s = compiled_;
  s.program = builder_.replay();
  s.replays = true;
  return s;
}

Runner Workbench::begin_replay(bool use_cupti) {
  RunnerSetup s = replay_setup();
  s.use_cupti = use_cupti;
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
  if (caches.empty()) return Runner(compiled(), folder, Hello::later);
  RunnerSetup s = in_interpreter();
  s.writable = caches;
  return Runner(s, folder, Hello::later);
}

void Workbench::greet(Runner& runner) {
  or_unavailable([&] { runner.hello(); });
}

Runner Workbench::start(const RunnerSetup& setup) const {
  return or_unavailable([&] { return Runner(setup, folder); });
}

std::string device_name(const FoundTask& task, const Toolchain& toolchain) {
  return Workbench(task, toolchain).start_runner().device().gpu;
}

TrustedProcesses::TrustedProcesses(Workbench& bench, const Binaries& binaries)
    : reference(bench.reference_setup(binaries.reference), bench.task(), bench.folder, bench.inputs),
      yardstick(binaries.yardstick.empty() ? nullptr : new Runner(bench.begin_runner(binaries.yardstick))),
      baseline_name(binaries.baseline_name),
      bench_(bench),
      binary_(binaries.baseline) {
  if (!yardstick || !bench.baseline_passed) baseline();
  if (yardstick) load_trusted(*yardstick, binaries.yardstick, bench.backend().baseline);
}

Runner& TrustedProcesses::baseline() {
  if (!baseline_) {
    baseline_.reset(new Runner(bench_.begin_runner(binary_)));
    load_trusted(*baseline_, binary_, baseline_name);
  }
  return *baseline_;
}

TrustedProcesses::~TrustedProcesses() {
  reference.abandon();
  if (baseline_) baseline_->abandon();
  if (yardstick) yardstick->abandon();
}

}  // namespace explog::bench
