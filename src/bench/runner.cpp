#include "bench/runner.h"

#include <chrono>
#include <thread>

#include "base/file.h"

namespace explog::bench {
namespace {

constexpr int call_timeout_ms = 10'000, pass_timeout_ms = 60'000;

using Steady = std::chrono::steady_clock;

double since(Steady::time_point start) {
  return std::chrono::duration<double, std::milli>(Steady::now() - start).count();
}

// Nothing of the user's environment reaches candidate code but what finds the driver and the device.
std::vector<std::string> environment(const RunnerSetup& setup, const PrivateFolder& folder) {
  std::vector<std::string> result = {"PATH=/usr/bin:/bin",        "HOME=" + folder.path(),
                                     "TMPDIR=" + folder.path(),   "CUDA_CACHE_PATH=" + folder.path(),
                                     "CUDA_MODULE_LOADING=EAGER", "LC_ALL=C"};
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
    std::string value =
        name == std::string_view("CUDA_VISIBLE_DEVICES") && !setup.gpu.empty() ? setup.gpu : env(name);
    if (!value.empty()) result.push_back(std::string(name) + "=" + value);
  }
  if (!setup.cupti.empty()) result.push_back("EXPLOG_CUPTI=" + setup.cupti);
  if (!setup.use_cupti) result.push_back("EXPLOG_NO_CUPTI=1");
  if (setup.profiled_outside) result.push_back("EXPLOG_PROFILED_OUTSIDE=1");
  return result;
}

ChildSetup child_setup(const RunnerSetup& setup, const PrivateFolder& folder, const SharedMemory& inputs,
                       const SharedMemory& outputs) {
  ChildSetup child;
  child.argv = setup.before;
  child.argv.push_back(setup.program);
  child.environment = environment(setup, folder);
  child.folder = folder.path();
  child.shared = {inputs.fd(), outputs.fd()};
  return child;
}

Device device_of(const Json& j) {
  Device d;
  d.gpu = j.value("gpu", "");
  d.arch = j.value("arch", "");
  d.driver = j.value("driver", "");
  if (d.driver.empty() && j.contains("driver_cuda")) d.driver = "CUDA " + j.value("driver_cuda", "");
  d.runtime = j.value("runtime", "");
  d.clock = j.value("clock", "");
  d.cupti_missing = j.value("cupti_missing", "");
  d.sandbox = j.value("sandbox", "");
  d.flush_bytes = j.value("flush_bytes", 0.0);
  d.cache_bytes = j.value("cache_bytes", 0.0);
  d.memory_bytes = j.value("memory_bytes", 0.0);
  d.bandwidth = j.value("bandwidth", 0.0);
  d.multiprocessors = j.value("multiprocessors", 0);
  d.clock_hz = j.value("clock_khz", 0.0) * 1e3;
  return d;
}

std::vector<double> numbers(const Json& answer, const char* key) {
  if (!answer.contains(key) || !answer[key].is_array()) throw Failed{"forged", "an answer without samples"};
  std::vector<double> values;
  for (const Json& v : answer[key]) {
    if (!v.is_number()) throw Failed{"forged", "a sample that is no number"};
    values.push_back(v.get<double>());
  }
  return values;
}

Launch launch_of(const Json& j, const Device& device) {
  if (!j.is_object() || !j.contains("metrics") || !j["metrics"].is_object())
    throw Failed{"forged", "a launch without metrics"};
  Launch launch;
  launch.kernel = j.value("kernel", "");
  launch.arch = device.arch;
  launch.texts.emplace_back("device__attribute_display_name", device.gpu);
  for (const auto& [name, value] : j["metrics"].items()) {
    if (!value.is_number()) throw Failed{"forged", "a metric that is no number"};
    launch.metrics.emplace_back(name, value.get<double>());
  }
  sort_metrics(launch.metrics);
  return launch;
}

}  // namespace

Runner::Runner(const RunnerSetup& setup, const PrivateFolder& folder, const SharedMemory& inputs,
               const SharedMemory& outputs)
    : dialogue_(child_setup(setup, folder, inputs, outputs)), patience_(setup.before.empty() ? 1 : 20) {
  device_ = device_of(ask("hello"));
}

Json Runner::ask(const std::string& command) {
  bool many = command.starts_with("pass") || command.starts_with("burst") || command.starts_with("hello") ||
              command.starts_with("profile");
  return dialogue_.ask(command, (many ? pass_timeout_ms : call_timeout_ms) * patience_);
}

void Runner::load(int arm, const std::string& library) {
  Json answer = ask("load " + std::to_string(arm) + " " + library);
  threads_before_load_ = answer.value("threads_before", 0);
}

void Runner::shape(const Case& c, int sets, bool guards) {
  ask("shape " + std::string(guards ? "65536 " : "0 ") + std::to_string(sets) + runner_words(c));
}

void Runner::input(int set, const Case& c, std::size_t offset) {
  ask("input " + std::to_string(set) + " " + std::to_string(offset) + " " + std::to_string(c.input_bytes()));
}

int Runner::call(int arm, int set, std::uint64_t poison, std::size_t offset) {
  return ask("call " + std::to_string(arm) + " " + std::to_string(set) + " " + std::to_string(poison) + " " +
             std::to_string(offset))
      .value("threads", 0);
}

void Runner::fetch(int set, std::size_t offset) {
  ask("fetch " + std::to_string(set) + " " + std::to_string(offset));
}

PassResult Runner::pass(int arm, int count, std::uint64_t seed) {
  auto start = Steady::now();
  Json answer = ask("pass " + std::to_string(arm) + " " + std::to_string(count) + " " + std::to_string(seed));
  PassResult p;
  p.wall_ms = since(start);
  p.event_ms = numbers(answer, "event_ms");
  p.kernel_ms = numbers(answer, "kernel_ms");
  if (p.event_ms.size() != static_cast<std::size_t>(count) || p.kernel_ms.size() != p.event_ms.size())
    throw Failed{"forged", "an answer with another number of samples than asked for"};
  p.sm_mhz = answer.value("sm_mhz", 0.0);
  p.throttle = answer.value("throttle", std::uint64_t{0});
  p.persisting_l2 = answer.value("persisting_l2", std::uint64_t{0});
  p.threads = answer.value("threads", 0);
  return p;
}

int Runner::lasting_threads(int allowed) const {
  int running = threads();
  for (auto start = Steady::now(); running > allowed && since(start) < 100; running = threads())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return running;
}

BurstResult Runner::burst(int arm, int count) {
  auto start = Steady::now();
  Json answer = ask("burst " + std::to_string(arm) + " " + std::to_string(count));
  return {answer.value("ms", 0.0), since(start)};
}

bool Runner::returns_early(int arm) {
  return ask("probe " + std::to_string(arm)).value("returns_early", false);
}

ProfileResult Runner::profile(int arm, std::span<const std::string_view> metrics) {
  std::string command = "profile " + std::to_string(arm);
  for (std::string_view name : metrics) command += " " + std::string(name);
  Json answer = ask(command);
  if (!answer.contains("launches") || !answer["launches"].is_array())
    throw Failed{"forged", "an answer without launches"};
  ProfileResult result;
  for (const Json& j : answer["launches"]) result.launches.push_back(launch_of(j, device_));
  if (answer.contains("missing") && answer["missing"].is_array()) {
    for (const Json& name : answer["missing"]) {
      if (name.is_string()) result.missing.push_back(name.get<std::string>());
    }
  }
  result.note = answer.value("note", "");
  return result;
}

}  // namespace explog::bench
