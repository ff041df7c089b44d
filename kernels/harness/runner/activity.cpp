#include "activity.h"

#if __has_include(<cupti.h>)
#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace explog::cupti {
namespace {

std::mutex guard;
std::vector<Activity> seen;

decltype(&cuptiActivityGetNextRecord) next_record;
decltype(&cuptiActivityFlushAll) flush_all;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *size = std::size_t{1} << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *records = 0;
}

// The records' leading fields are the same in every CUPTI since 11: older structs read newer records.
void keep(const CUpti_Activity* record) {
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    auto* kernel = reinterpret_cast<const CUpti_ActivityKernel4*>(record);
    seen.push_back({kernel->start, kernel->end, kernel->name ? kernel->name : "?"});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    auto* copied = reinterpret_cast<const CUpti_ActivityMemcpy5*>(record);
    seen.push_back({copied->start, copied->end, ""});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    auto* set = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
    seen.push_back({set->start, set->end, ""});
  }
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  std::lock_guard lock(guard);
  CUpti_Activity* record = nullptr;
  while (valid > 0 && next_record(buffer, valid, &record) == CUPTI_SUCCESS) keep(record);
  std::free(buffer);
}

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

bool start(std::string& why) {
  const char* path = std::getenv("EXPLOG_CUPTI");
  void* library = dlopen(path ? path : "libcupti.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    why = dlerror();
    return false;
  }
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityEnable) enable;
  if (!find(library, "cuptiActivityGetNextRecord", next_record) ||
      !find(library, "cuptiActivityFlushAll", flush_all) ||
      !find(library, "cuptiActivityRegisterCallbacks", register_callbacks) ||
      !find(library, "cuptiActivityEnable", enable)) {
    why = "a function is missing in libcupti";
    return false;
  }
  CUptiResult result = register_callbacks(give_buffer, take_buffer);
  for (auto kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET}) {
    if (result == CUPTI_SUCCESS) result = enable(kind);
  }
  if (result != CUPTI_SUCCESS) why = "CUPTI error " + std::to_string(static_cast<int>(result));
  return result == CUPTI_SUCCESS;
}

std::vector<Activity> take() {
  flush_all(0);
  std::lock_guard lock(guard);
  std::vector<Activity> result;
  result.swap(seen);
  std::sort(result.begin(), result.end(),
            [](const Activity& a, const Activity& b) { return a.start_ns < b.start_ns; });
  return result;
}

}  // namespace explog::cupti

#else

namespace explog::cupti {
bool start(std::string& why) {
  why = "built without cupti.h";
  return false;
}
std::vector<Activity> take() { return {}; }
}  // namespace explog::cupti

#endif
