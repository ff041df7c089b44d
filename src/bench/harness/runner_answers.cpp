#include "bench/harness/runner_answers.h"

#include <nlohmann/json.hpp>

#include "bench/harness/line_protocol.h"

namespace explog::bench {

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

std::vector<std::string> texts(const Json& answer, const char* key) {
  if (!answer.contains(key) || !answer[key].is_array()) throw Failed{"forged", "an answer without a list"};
  std::vector<std::string> values;
  for (const Json& v : answer[key]) {
    if (!v.is_string()) throw Failed{"forged", "a list with what is no text"};
    values.push_back(v.get<std::string>());
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

}  // namespace explog::bench
