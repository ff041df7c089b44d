#include "watch.h"

#include <cupti.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "calls.h"

namespace explog::capture {
namespace {

// Recursive: reading a module makes the driver load it, which calls back in the same thread.
std::recursive_mutex guard;
thread_local bool quiet;
// The cubin that was loaded during this thread's current driver call.
thread_local std::optional<std::size_t> just_loaded;

struct State {
  CUpti_SubscriberHandle subscriber = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  bool captures_streams = false;  // some stream was captured: ask before each operation
};
State state;

// Driver calls that do or change device work begin so; those that only ask are named below.
bool may_be_work(const char* name) {
  for (const char* asks : {"cuMemGetInfo", "cuMemGetAddressRange", "cuMemHostGet", "cuMemPoolGet",
                           "cuMemPoolSet", "cuMemPoolCreate", "cuMemGetHandle", "cuMemGetAllocation"}) {
    if (std::strncmp(name, asks, std::strlen(asks)) == 0) return false;
  }
  for (const char* works :
       {"cuMem", "cuLaunch", "cuGraphExec", "cuStreamWrite", "cuStreamWaitValue", "cuStreamBatch",
        "cuStreamSetAttribute", "cuStreamAttach", "cuStreamAddCallback", "cuStreamUpdateCapture", "cuSurf",
        "cuTexRef", "cuArray", "cuMipmapped", "cuExternal", "cuFuncSetCacheConfig",
        "cuFuncSetSharedMemConfig", "cuCtxSetCacheConfig", "cuIpc"}) {
    if (std::strncmp(name, works, std::strlen(works)) == 0)
      return std::strncmp(name, "cuGraphExecDestroy", 18) != 0 &&
             std::strncmp(name, "cuGraphExecGet", 14) != 0;
  }
  return false;
}

std::map<CUpti_CallbackId, Row> known_calls() {
  std::map<CUpti_CallbackId, Row> all;
  for (const auto& rows : {launch_rows(), memory_rows(), copy_rows(), order_rows(), object_rows()}) {
    for (const Row& r : rows) all.emplace(r.id, r);
  }
  return all;
}

void driver_call(Heard& heard, CUpti_CallbackId id, const CUpti_CallbackData& call) {
  static const std::map<CUpti_CallbackId, Row> known = known_calls();
  std::string name = call.functionName ? call.functionName : "?";
  Side side = call.callbackSite == CUPTI_API_ENTER ? Side::before : Side::after;
  if (side == Side::before) just_loaded.reset();
  auto result = static_cast<const CUresult*>(call.functionReturnValue);
  bool failed = side == Side::after && result && *result != CUDA_SUCCESS;
  auto row = known.find(id);
  if (row == known.end()) {
    if (side == Side::before && heard.recording.on() && may_be_work(name.c_str()))
      heard.recording.unknown(name);
    return;
  }
  if (failed && row->second.side == Side::before && heard.recording.on())
    heard.recording.unknown(name + ", which failed with " + std::to_string(static_cast<int>(*result)));
  if (failed || row->second.side != side) return;
  if (row->second.when == When::recorded && !heard.recording.on()) return;
  bool per_thread =
      name.size() > 5 && (name.rfind("_ptsz") == name.size() - 5 || name.rfind("_ptds") == name.size() - 5);
  row->second.see({heard, call.functionParams, call.symbolName, per_thread});
}

// The driver calls this, from any thread.
void CUPTIAPI saw(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  Heard& heard = *static_cast<Heard*>(self);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    if (id != CUPTI_CBID_RESOURCE_MODULE_LOADED) return;
    std::lock_guard lock(guard);
    auto resource = static_cast<const CUpti_ResourceData*>(data);
    auto module = static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor);
    if (module && module->pCubin) just_loaded = heard.images.loaded(module->pCubin, module->cubinSize);
    return;
  }
  if (quiet) return;
  Held held;
  try {
    driver_call(heard, id, *static_cast<const CUpti_CallbackData*>(data));
  } catch (const std::exception& e) {
    heard.recording.unknown(std::string("an operation that could not be recorded: ") + e.what());
  }
}

}  // namespace

bool captured(const Event& e, CUstream handle) {
  if (!state.captures_streams || (handle == nullptr && !e.per_thread) || handle == CU_STREAM_LEGACY)
    return false;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUstream asked = handle ? handle : CU_STREAM_PER_THREAD;
  return cuStreamIsCapturing(asked, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void module_loaded(const Event& e, CUmodule module) {
  if (just_loaded && module) e.heard.images.module_of(*just_loaded, module);
  just_loaded.reset();
}

void stream_capture_begins() { state.captures_streams = true; }

Quiet::Quiet() : before_(quiet) { quiet = true; }
Quiet::~Quiet() { quiet = before_; }
Held::Held() { guard.lock(); }
Held::~Held() { guard.unlock(); }

bool listen(Heard& heard, std::string& why) {
  const char* path = std::getenv("EXPLOG_CUPTI");
  void* library = dlopen(path ? path : "libcupti.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    why = dlerror();
    return false;
  }
  auto subscribe = reinterpret_cast<decltype(&cuptiSubscribe)>(dlsym(library, "cuptiSubscribe"));
  auto enable = reinterpret_cast<decltype(&cuptiEnableDomain)>(dlsym(library, "cuptiEnableDomain"));
  state.unsubscribe = reinterpret_cast<decltype(&cuptiUnsubscribe)>(dlsym(library, "cuptiUnsubscribe"));
  if (!subscribe || !enable || !state.unsubscribe) {
    why = "a function is missing in libcupti";
    return false;
  }
  CUptiResult result = subscribe(&state.subscriber, saw, &heard);
  for (auto domain : {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RESOURCE}) {
    if (result == CUPTI_SUCCESS) result = enable(1, state.subscriber, domain);
  }
  if (result != CUPTI_SUCCESS) why = "CUPTI's callbacks: error " + std::to_string(static_cast<int>(result));
  return result == CUPTI_SUCCESS;
}

void stop_listening() {
  if (state.subscriber) state.unsubscribe(state.subscriber);
  state.subscriber = nullptr;
}

}  // namespace explog::capture
