// Calls into libcupti, which is found at run time, and what its errors ask of the user.
#pragma once
#include <cupti_result.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace explog::profiler {

using Bytes = std::vector<std::uint8_t>;
using Names = std::vector<const char*>;

// Ends a measurement; measure() hands its text out as `why`.
struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Every function of this API takes one struct that carries its own size, without the padding at its end.
template <class P>
P sized(std::size_t bytes) {
  P parameters{};
  parameters.structSize = bytes;
  return parameters;
}
#define EXPLOG_SIZED(type) sized<type>(type##_STRUCT_SIZE)

inline const char* remedy(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "this user may not read the counters: load the driver with "
             "NVreg_RestrictProfilingToAdminUsers=0, or run as root or with CAP_SYS_ADMIN";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return "another profiler holds the counters: end it (ncu, nsys, DCGM)";
    case CUPTI_ERROR_NOT_INITIALIZED:
    case CUPTI_ERROR_NOT_COMPATIBLE:
    case CUPTI_ERROR_API_NOT_IMPLEMENTED:
      return "libcupti does not fit the driver: set EXPLOG_CUPTI to one that is no newer than it";
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "this device or its configuration cannot be profiled: use a whole GPU, Turing or later";
    default:
      return "run without the profile, or try ncu";
  }
}

// libcupti, found at run time.
class Cupti {
 public:
  Cupti() {
    const char* path = std::getenv("EXPLOG_CUPTI");
    library_ = dlopen(path ? path : "libcupti.so", RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw Trouble(std::string(dlerror()) + ": set EXPLOG_CUPTI to the path of libcupti.so");
  }
  void* library() const { return library_; }

  template <class P>
  CUptiResult attempt(const char* name, P& parameters) const {
    auto function = find<P>(name);
    if (!function)
      throw Trouble(std::string("libcupti has no ") + name +
                    ": set EXPLOG_CUPTI to that of CUDA 12.6 or later");
    return function(&parameters);
  }
  // For destructors: what fails there can only be left.
  template <class P>
  void try_call(const char* name, P& parameters) const noexcept {
    auto function = find<P>(name);
    if (function) function(&parameters);
  }
  template <class P>
  void call(const char* name, P& parameters) const {
    CUptiResult result = attempt(name, parameters);
    if (result != CUPTI_SUCCESS)
      throw Trouble(std::string(name) + " failed with " + text(result) + ": " + remedy(result));
  }

 private:
  template <class P>
  auto find(const char* name) const {
    return reinterpret_cast<CUptiResult (*)(P*)>(dlsym(library_, name));
  }
  std::string text(CUptiResult result) const {
    const char* name = nullptr;
    auto describe =
        reinterpret_cast<CUptiResult (*)(CUptiResult, const char**)>(dlsym(library_, "cuptiGetResultString"));
    if (describe && describe(result, &name) == CUPTI_SUCCESS && name) return name;
    return "CUPTI error " + std::to_string(static_cast<int>(result));
  }
  void* library_;
};

}  // namespace explog::profiler
