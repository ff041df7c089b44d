// Counters of a call: by CUPTI in this process, or by Nsight Compute around it, which looks only between
// start and stop.
#include <cuda_profiler_api.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "device.h"
#include "profiler.h"

namespace explog::device {
namespace {

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "\"";
}

std::string as_json(const profiler::Launch& launch) {
  std::ostringstream out;
  out.precision(17);
  out << "{\"kernel\":" << quote(launch.kernel) << ",\"metrics\":{";
  bool first = true;
  for (const auto& [name, value] : launch.metrics) {
    if (!std::isfinite(value)) continue;
    out << (first ? "" : ",") << quote(name) << ":" << value;
    first = false;
  }
  out << "}}";
  return out.str();
}

std::string list(const std::vector<std::string>& items, std::string (*text)(const std::string&)) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + text(item);
  return out + "]";
}

std::string as_is(const std::string& json) { return json; }

}  // namespace

std::string profile(const std::vector<std::string>& metrics, const std::function<void()>& prepare,
                    const std::function<void()>& work) {
  auto start_cold = [&] {
    prepare();
    flush();
    synchronize();
  };
  // Freeing persisting lines is work of the driver's own that CUPTI would measure too.
  auto overwrite = [] {
    overwrite_caches();
    synchronize();
  };
  if (std::getenv("EXPLOG_PROFILED_OUTSIDE")) {
    start_cold();
    cudaProfilerStart();
    work();
    cudaProfilerStop();
    return "\"launches\":[]";
  }
  profiler::Profile profile;
  std::string why;
  if (!profiler::measure(metrics, start_cold, overwrite, work, profile, why))
    throw Failure("unprofiled", why);
  std::vector<std::string> launches;
  for (const profiler::Launch& launch : profile.launches) launches.push_back(as_json(launch));
  return "\"launches\":" + list(launches, as_is) + ",\"missing\":" + list(profile.missing, quote) +
         ",\"passes\":" + std::to_string(profile.passes) + ",\"note\":" + quote(why);
}

}  // namespace explog::device
