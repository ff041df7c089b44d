#include "player.h"

#include <cstdlib>

namespace explog::replay {

using namespace plan;

void check(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || !text) text = "unknown error";
  throw Failure(result == CUDA_ERROR_OUT_OF_MEMORY ? "out_of_memory" : "launch_error", what + ": " + text);
}

LoadedPlan::LoadedPlan(Plan p) : plan_(std::move(p)) {
  for (const Limit& l : plan_.limits) check(cuCtxSetLimit(static_cast<CUlimit>(l.which), l.value), "a limit");
  load_images();
  find_symbols();
  for (const plan::Workspace& w : plan_.workspaces) allocate(w);
  make_streams();
}

void LoadedPlan::load_images() {
  for (const Image& i : plan_.images) {
    CUmodule module = nullptr;
    check(cuModuleLoadData(&module, i.bytes.data()), "loading image " + i.sha256.substr(0, 12));
    modules_.push_back(module);
  }
}

void LoadedPlan::find_symbols() {
  for (const plan::Symbol& s : plan_.symbols) {
    CUdeviceptr at = 0;
    std::size_t bytes = 0;
    check(cuModuleGetGlobal(&at, &bytes, modules_[s.image], s.name.c_str()), "variable " + s.name);
    if (bytes != s.bytes)
      throw Failure("load_error", "variable " + s.name + " has another size than planned");
    Symbol loaded;
    loaded.at = reinterpret_cast<char*>(at);
    if (s.contents == none) {
      loaded.initial = static_cast<char*>(device::allocate(bytes));
      check(cuMemcpyDtoD(reinterpret_cast<CUdeviceptr>(loaded.initial), at, bytes), "variable " + s.name);
    }
    symbols_.push_back(loaded);
  }
}

// With the low bits that the address had: 2 MiB more than it takes. Under a tool that checks memory exactly what it takes: times
// do not count there.
void LoadedPlan::allocate(const plan::Workspace& w) {
  static const bool exact = std::getenv("EXPLOG_UNDER_TOOL") != nullptr;
  Workspace made;
  std::uint64_t bytes = exact ? w.bytes : w.bytes + w.low + placement;
  CUdeviceptr device = 0;
  void* host = nullptr;
  switch (w.memory) {
    case Memory::device:
      made.base = static_cast<char*>(device::allocate(bytes));
      break;
    case Memory::managed:
      check(cuMemAllocManaged(&device, bytes, CU_MEM_ATTACH_GLOBAL), "managed memory");
      made.base = reinterpret_cast<char*>(device);
      break;
    case Memory::host:
      check(cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE),
            "host memory");
      made.base = static_cast<char*>(host);
      break;
  }
  auto base = reinterpret_cast<std::uint64_t>(made.base);
  std::uint64_t before = exact ? 0 : (base + placement - 1) / placement * placement - base + w.low;
  made.at = made.base + before;
  workspaces_.push_back(made);
}

void LoadedPlan::make_streams() {
  for (const Stream& s : plan_.streams)
    check(cuStreamCreateWithPriority(&streams_.emplace_back(), s.flags, s.priority), "a stream");
  for (std::uint32_t i = 0; i < plan_.events; ++i)
    check(cuEventCreate(&events_.emplace_back(), CU_EVENT_DISABLE_TIMING), "an event");
}

LoadedPlan::~LoadedPlan() {
  for (CUstream s : streams_) cuStreamDestroy(s);
  for (CUevent e : events_) cuEventDestroy(e);
  for (const Symbol& s : symbols_) {
    if (s.initial) device::release(s.initial);
  }
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (plan_.workspaces[i].memory == Memory::host)
      cuMemFreeHost(workspaces_[i].base);
    else
      cuMemFree(reinterpret_cast<CUdeviceptr>(workspaces_[i].base));
  }
  for (CUmodule m : modules_) cuModuleUnload(m);
}

CUstream LoadedPlan::stream(std::uint32_t number) const {
  if (number == legacy_stream) return CU_STREAM_LEGACY;
  if (number == thread_stream) return CU_STREAM_PER_THREAD;
  return streams_[number - first_own_stream];
}

CUfunction LoadedPlan::function(const Operation& o) const {
  CUfunction f = nullptr;
  check(cuModuleGetFunction(&f, modules_[o.image], o.name.c_str()), "kernel " + o.name);
  constexpr CUfunction_attribute settings[] = {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                               CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                                               CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE};
  for (std::size_t i = 0; i < o.settings.size(); ++i) {
    int now = 0;
    check(cuFuncGetAttribute(&now, settings[i], f), "a setting of kernel " + o.name);
    if (now != o.settings[i])
      check(cuFuncSetAttribute(f, settings[i], o.settings[i]), "a setting of kernel " + o.name);
  }
  return f;
}

}  // namespace explog::replay
