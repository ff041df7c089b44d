#include "profiler.h"

#if __has_include(<cupti_range_profiler.h>)
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include "cupti_calls.h"
#include "cupti_session.h"
#include "launches.h"

namespace explog::profiler {
namespace {

// What the profiler is to look at.
struct Target {
  CUcontext context = nullptr;
  CUdevice device = 0;
  std::string chip;    // "GH100"
  Bytes availability;  // the counters that are free on it
};

Target current_context() {
  Target target;
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver) throw Trouble("libcuda.so.1 is missing: install the NVIDIA driver");
  auto current = reinterpret_cast<CUresult (*)(CUcontext*)>(dlsym(driver, "cuCtxGetCurrent"));
  auto device = reinterpret_cast<CUresult (*)(CUdevice*)>(dlsym(driver, "cuCtxGetDevice"));
  if (!current || !device || current(&target.context) != CUDA_SUCCESS || !target.context ||
      device(&target.device) != CUDA_SUCCESS)
    throw Trouble("no CUDA context is current: choose a device first");
  return target;
}

void read_device(const Cupti& cupti, Target& target) {
  auto supported = EXPLOG_SIZED(CUpti_Profiler_DeviceSupported_Params);
  supported.cuDevice = target.device;
  supported.api = CUPTI_PROFILER_RANGE_PROFILING;
  cupti.call("cuptiProfilerDeviceSupported", supported);
  if (supported.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
    throw Trouble(remedy(CUPTI_ERROR_NOT_SUPPORTED));
  auto name = EXPLOG_SIZED(CUpti_Device_GetChipName_Params);
  name.deviceIndex = static_cast<std::size_t>(target.device);
  cupti.call("cuptiDeviceGetChipName", name);
  target.chip = name.pChipName;
  // The first call that a user without the right to read counters is refused.
  auto image = EXPLOG_SIZED(CUpti_Profiler_GetCounterAvailability_Params);
  image.ctx = target.context;
  cupti.call("cuptiProfilerGetCounterAvailability", image);
  target.availability.resize(image.counterAvailabilityImageSize);
  image.pCounterAvailabilityImage = target.availability.data();
  cupti.call("cuptiProfilerGetCounterAvailability", image);
}

// The side that knows the metrics: which counters they need, and their value from counters.
class Host {
 public:
  Host(const Cupti& cupti, const Target& target) : cupti_(cupti) {
    auto p = EXPLOG_SIZED(CUpti_Profiler_Host_Initialize_Params);
    p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    p.pChipName = target.chip.c_str();
    p.pCounterAvailabilityImage = target.availability.data();
    cupti.call("cuptiProfilerHostInitialize", p);
    object_ = p.pHostObject;
  }
  ~Host() {
    auto p = EXPLOG_SIZED(CUpti_Profiler_Host_Deinitialize_Params);
    p.pHostObject = object_;
    cupti_.try_call("cuptiProfilerHostDeinitialize", p);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // After a refusal the object is of no more use.
  CUptiResult add(Names names) {
    auto p = EXPLOG_SIZED(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    p.pHostObject = object_;
    p.ppMetricNames = names.data();
    p.numMetrics = names.size();
    return cupti_.attempt("cuptiProfilerHostConfigAddMetrics", p);
  }
  Bytes config() {
    auto size = EXPLOG_SIZED(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = object_;
    cupti_.call("cuptiProfilerHostGetConfigImageSize", size);
    Bytes image(size.configImageSize);
    auto p = EXPLOG_SIZED(CUpti_Profiler_Host_GetConfigImage_Params);
    p.pHostObject = object_;
    p.configImageSize = image.size();
    p.pConfigImage = image.data();
    cupti_.call("cuptiProfilerHostGetConfigImage", p);
    return image;
  }
  // NaN where there is no value.
  std::vector<double> evaluate(const Bytes& counters, std::size_t range, Names names) {
    std::vector<double> values(names.size(), std::numeric_limits<double>::quiet_NaN());
    auto p = EXPLOG_SIZED(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    p.pHostObject = object_;
    p.pCounterDataImage = counters.data();
    p.counterDataImageSize = counters.size();
    p.rangeIndex = range;
    p.ppMetricNames = names.data();
    p.numMetrics = names.size();
    p.pMetricValues = values.data();
    if (cupti_.attempt("cuptiProfilerHostEvaluateToGpuValues", p) == CUPTI_SUCCESS) return values;
    for (std::size_t i = 0; i < names.size(); ++i) {  // one bad metric spoils the call, not the others
      p.ppMetricNames = &names[i];
      p.numMetrics = 1;
      p.pMetricValues = &values[i];
      if (cupti_.attempt("cuptiProfilerHostEvaluateToGpuValues", p) != CUPTI_SUCCESS)
        values[i] = std::numeric_limits<double>::quiet_NaN();
    }
    return values;
  }

 private:
  const Cupti& cupti_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

Names names_of(const std::vector<std::string>& metrics, std::size_t begin, std::size_t end) {
  Names names;
  for (std::size_t i = begin; i < end; ++i) names.push_back(metrics[i].c_str());
  return names;
}

// Sorts the metrics into those that the chip has and those that are missing. Most chips have most of them: all are tried
// together, and halves of what is refused.
void sort_by_chip(const Cupti& cupti, const Target& target, const std::vector<std::string>& metrics,
                  std::size_t begin, std::size_t end, Names& names, std::vector<std::string>& missing) {
  if (begin == end) return;
  Names tried = names_of(metrics, begin, end);
  if (Host(cupti, target).add(tried) == CUPTI_SUCCESS) {
    names.insert(names.end(), tried.begin(), tried.end());
  } else if (tried.size() == 1) {
    missing.push_back(metrics[begin]);
  } else {
    std::size_t middle = begin + tried.size() / 2;
    sort_by_chip(cupti, target, metrics, begin, middle, names, missing);
    sort_by_chip(cupti, target, metrics, middle, end, names, missing);
  }
}

int count_passes(const Cupti& cupti, Bytes& config) {
  auto p = EXPLOG_SIZED(CUpti_Profiler_Host_GetNumOfPasses_Params);
  p.configImageSize = config.size();
  p.pConfigImage = config.data();
  cupti.call("cuptiProfilerHostGetNumOfPasses", p);
  return static_cast<int>(p.numOfPasses);
}

class Initialised {
 public:
  explicit Initialised(const Cupti& cupti) : cupti_(cupti) {
    auto p = EXPLOG_SIZED(CUpti_Profiler_Initialize_Params);
    cupti.call("cuptiProfilerInitialize", p);
  }
  ~Initialised() {
    auto p = EXPLOG_SIZED(CUpti_Profiler_DeInitialize_Params);
    cupti_.try_call("cuptiProfilerDeInitialize", p);
  }
  Initialised(const Initialised&) = delete;
  Initialised& operator=(const Initialised&) = delete;

 private:
  const Cupti& cupti_;
};

// All that does not depend on the work that is measured.
struct Prepared {
  explicit Prepared(std::vector<std::string> wanted) : metrics(std::move(wanted)) {
    read_device(cupti, target);
    names = names_of(metrics, 0, metrics.size());
    host = std::make_unique<Host>(cupti, target);
    if (host->add(names) != CUPTI_SUCCESS) {
      names.clear();
      sort_by_chip(cupti, target, metrics, 0, metrics.size(), names, missing);
      if (names.empty()) throw Trouble(target.chip + " has none of these metrics: ask for others");
      host = std::make_unique<Host>(cupti, target);
      if (host->add(names) != CUPTI_SUCCESS)
        throw Trouble("CUPTI cannot schedule these metrics together: ask for fewer");
    }
    config = host->config();
    passes = count_passes(cupti, config);
  }

  const std::vector<std::string> metrics;
  Target target = current_context();
  Cupti cupti;
  Recorder recorder{cupti.library()};  // CUPTI wants its subscriber before anything else
  Initialised initialised{cupti};
  Names names;                       // of the metrics that the chip has
  std::vector<std::string> missing;  // the others
  std::unique_ptr<Host> host;
  Bytes config;
  int passes = 0;
};

// The same as at the last call, where it asked for the same metrics: a process that counts many kernels prepares once. It is
// left to the end of the process, when CUPTI may be gone before it.
Prepared& prepared_for(const std::vector<std::string>& metrics) {
  static Prepared* last = nullptr;
  if (last == nullptr || last->metrics != metrics || last->target.context != current_context().context) {
    delete std::exchange(last, nullptr);
    last = new Prepared(metrics);
  }
  return *last;
}

// The launches of one pass; `even` says whether every pass had as many. CUPTI measured the `flushes` too,
// which came before them.
struct Seen {
  std::vector<Shape> shapes;
  std::size_t flushes = 0;
  bool even = true;
};

std::vector<Shape> launches_of(Recorder& recorder, const std::function<void()>& work) {
  recorder.begin();
  work();
  return recorder.end();
}

Seen replay(Session& session, Recorder& recorder, int passes, const std::function<void()>& prepare,
            const std::function<void()>& flush, const std::function<void()>& work) {
  Seen seen;
  for (int pass = 0;; ++pass) {
    if (pass == passes) throw Trouble("CUPTI wants more passes than it said: ask for fewer metrics");
    prepare();
    session.start();
    std::size_t flushes = recorder.listening() ? launches_of(recorder, flush).size() : 0;
    std::vector<Shape> shapes = launches_of(recorder, work);
    bool last = session.stop();
    if (pass == 0) {
      seen = {std::move(shapes), flushes, true};
    } else if (shapes.size() != seen.shapes.size() || flushes != seen.flushes) {
      seen.even = false;
    }
    if (last) return seen;
  }
}

struct Range {
  std::string name;
  std::size_t index = 0;
};

// In launch order: CUPTI names the range of a kernel by its number.
std::vector<Range> read_ranges(const Cupti& cupti, const Bytes& counters) {
  auto info = EXPLOG_SIZED(CUpti_RangeProfiler_GetCounterDataInfo_Params);
  info.pCounterDataImage = counters.data();
  info.counterDataImageSize = counters.size();
  cupti.call("cuptiRangeProfilerGetCounterDataInfo", info);
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < info.numTotalRanges; ++i) {
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
    p.pCounterDataImage = counters.data();
    p.counterDataImageSize = counters.size();
    p.rangeIndex = i;
    p.rangeDelimiter = "/";
    cupti.call("cuptiRangeProfilerCounterDataGetRangeInfo", p);
    ranges.push_back({p.rangeName ? p.rangeName : "", i});
  }
  std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::strtoull(a.name.c_str(), nullptr, 10) < std::strtoull(b.name.c_str(), nullptr, 10);
  });
  return ranges;
}

std::string demangle(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

void read_launches(const Cupti& cupti, Host& host, const Names& names, const Bytes& counters,
                   const Seen& seen, Profile& profile) {
  const std::vector<Shape>& shapes = seen.shapes;
  std::vector<Range> ranges = read_ranges(cupti, counters);
  std::size_t most_launches = most_ranges - seen.flushes;
  ranges.erase(ranges.begin(),
               ranges.begin() + static_cast<std::ptrdiff_t>(std::min(seen.flushes, ranges.size())));
  // Shapes are told from ranges by their place alone, so a doubt about one is a doubt about all.
  bool named = ranges.size() == std::min(shapes.size(), most_launches);
  Chip chip;
  bool has_chip = named && read_chip(chip);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    Launch launch{named ? demangle(shapes[i].kernel) : ranges[i].name, {}};
    std::vector<double> values = host.evaluate(counters, ranges[i].index, names);
    for (std::size_t m = 0; m < names.size(); ++m) {
      if (std::isfinite(values[m])) launch.metrics.emplace_back(names[m], values[m]);
    }
    if (has_chip) {
      for (auto& fact : facts(chip, shapes[i])) launch.metrics.push_back(std::move(fact));
    }
    profile.launches.push_back(std::move(launch));
  }
}

std::string caveat(const Recorder& recorder, const Seen& seen, const Profile& profile) {
  if (!recorder.listening())
    return "launches could not be seen, so kernels have numbers for names: end other tools that trace CUDA";
  if (!seen.even)
    return "the call did not launch the same number of kernels in every pass, so values of different kernels "
           "may be mixed";
  if (std::size_t most_launches = most_ranges - seen.flushes; seen.shapes.size() > most_launches)
    return "only the first " + std::to_string(most_launches) + " of " + std::to_string(seen.shapes.size()) +
           " launches were measured";
  if (seen.shapes.size() != profile.launches.size())
    return "CUPTI measured " + std::to_string(profile.launches.size()) + " kernels and saw " +
           std::to_string(seen.shapes.size()) + " launched, so kernels have numbers for names";
  return "";
}

}  // namespace

bool measure(const std::vector<std::string>& metrics, const std::function<void()>& prepare,
             const std::function<void()>& flush, const std::function<void()>& work, Profile& profile,
             std::string& why) try {
  profile = {};
  why.clear();
  Prepared& p = prepared_for(metrics);
  profile.missing = p.missing;
  profile.passes = p.passes;
  Session session(p.cupti, p.target.context);
  session.configure(p.config, p.names);
  Seen seen = replay(session, p.recorder, p.passes, prepare, flush, work);
  read_launches(p.cupti, *p.host, p.names, session.decode(), seen, profile);
  if (profile.launches.empty()) throw Trouble("the call launched no kernel that CUPTI could measure");
  why = caveat(p.recorder, seen, profile);
  return true;
} catch (const Trouble& trouble) {
  why = trouble.what();
  return false;
}

}  // namespace explog::profiler

#else

namespace explog::profiler {
bool measure(const std::vector<std::string>&, const std::function<void()>&, const std::function<void()>&,
             const std::function<void()>&, Profile& profile, std::string& why) {
  profile = {};
  why = "built without cupti_range_profiler.h";
  return false;
}
}  // namespace explog::profiler

#endif
