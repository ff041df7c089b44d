#include "launches.h"

#include <algorithm>

namespace explog::profiler {
namespace {

int round_up(int value, int step) { return (value + step - 1) / step * step; }

int warps_of(const Chip& chip, const Shape& shape) {
  return (shape.block + chip.warp_size - 1) / chip.warp_size;
}

// A warp gets registers in pieces of 256 from one of four files, each a quarter of the multiprocessor's.
int limit_by_registers(const Chip& chip, const Shape& shape) {
  constexpr int piece = 256, files = 4;
  int warps = warps_of(chip, shape), per_warp = round_up(shape.registers * chip.warp_size, piece);
  if (per_warp == 0) return chip.blocks;
  // The launch check counts as if a block took the same number of warps from every file.
  if (per_warp * round_up(warps, files) > chip.registers_per_block) return 0;
  return chip.registers / files / per_warp * files / warps;
}

int limit_by_shared_memory(const Chip& chip, const Shape& shape) {
  int used = chip.reserved_shared_memory + shape.static_shared_memory + shape.dynamic_shared_memory;
  int allocated = round_up(used, chip.major < 8 ? 256 : 128);
  return allocated == 0 ? chip.blocks : chip.shared_memory / allocated;
}

}  // namespace

int Occupancy::least() const { return std::min({blocks, registers, shared_memory, warps}); }

Occupancy occupancy(const Chip& chip, const Shape& shape) {
  Occupancy o;
  if (chip.warp_size == 0 || shape.block == 0) return o;
  o.blocks = chip.blocks;
  o.warps = chip.threads / chip.warp_size / warps_of(chip, shape);
  o.registers = limit_by_registers(chip, shape);
  o.shared_memory = limit_by_shared_memory(chip, shape);
  return o;
}

std::vector<std::pair<std::string, double>> facts(const Chip& chip, const Shape& shape) {
  std::vector<std::pair<std::string, double>> out;
  auto add = [&](const char* name, double value) { out.emplace_back(name, value); };
  add("launch__block_size", shape.block);
  add("launch__grid_size", shape.grid);
  add("launch__thread_count", shape.grid * shape.block);
  add("launch__shared_mem_per_block_dynamic", shape.dynamic_shared_memory);
  if (shape.cluster > 0) add("launch__cluster_size", shape.cluster);
  if (chip.multiprocessors > 0) add("launch__sm_count", chip.multiprocessors);
  if (chip.reserved_shared_memory > 0)
    add("launch__shared_mem_per_block_driver", chip.reserved_shared_memory);
  if (!shape.has_attributes) return out;
  add("launch__registers_per_thread", shape.registers);
  add("launch__shared_mem_per_block_static", shape.static_shared_memory);
  if (chip.warp_size == 0 || chip.multiprocessors == 0 || shape.block == 0) return out;
  Occupancy o = occupancy(chip, shape);
  add("launch__occupancy_limit_blocks", o.blocks);
  add("launch__occupancy_limit_registers", o.registers);
  add("launch__occupancy_limit_shared_mem", o.shared_memory);
  add("launch__occupancy_limit_warps", o.warps);
  int active = shape.active_blocks > 0 ? shape.active_blocks : o.least();
  if (active == 0) return out;
  add("launch__waves_per_multiprocessor", shape.grid / (static_cast<double>(chip.multiprocessors) * active));
  int most_warps = chip.threads / chip.warp_size;
  add("sm__maximum_warps_per_active_cycle_pct", 100.0 * active * warps_of(chip, shape) / most_warps);
  return out;
}

}  // namespace explog::profiler

#if __has_include(<cupti_range_profiler.h>)  // CUDA 12.6: older headers lack what is used here
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>

#include <mutex>

namespace explog::profiler {
namespace {

template <class F>
bool find(void* library, const char* name, F& function) {
  function = library ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
  return function != nullptr;
}

// Types are written out because cuda.h renames some functions to later versions.
struct Driver {
  CUresult (*context_device)(CUdevice*) = nullptr;
  CUresult (*device_attribute)(int*, CUdevice_attribute, CUdevice) = nullptr;
  CUresult (*function_attribute)(int*, CUfunction_attribute, CUfunction) = nullptr;
  CUresult (*active_blocks)(int*, CUfunction, int, std::size_t) = nullptr;
  CUresult (*kernel_attribute)(int*, CUfunction_attribute, CUkernel, CUdevice) = nullptr;  // CUDA 12

  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    find(library, "cuCtxGetDevice", context_device);
    find(library, "cuDeviceGetAttribute", device_attribute);
    find(library, "cuFuncGetAttribute", function_attribute);
    find(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", active_blocks);
    find(library, "cuKernelGetAttribute", kernel_attribute);
  }
};

// A launch may name a kernel of a library, which belongs to no context, where a function is expected.
bool read_attribute(const Driver& driver, CUfunction function, CUfunction_attribute which, int& value) {
  if (driver.function_attribute && driver.function_attribute(&value, which, function) == CUDA_SUCCESS)
    return true;
  CUdevice device = 0;
  return driver.kernel_attribute && driver.context_device && driver.context_device(&device) == CUDA_SUCCESS &&
         driver.kernel_attribute(&value, which, reinterpret_cast<CUkernel>(function), device) == CUDA_SUCCESS;
}

struct Call {
  CUfunction function = nullptr;
  unsigned grid[3] = {}, block[3] = {}, shared = 0;
  int cluster = 0;
};

template <class P>
Call plain(const void* parameters) {
  const P& p = *static_cast<const P*>(parameters);
  return {
      p.f, {p.gridDimX, p.gridDimY, p.gridDimZ}, {p.blockDimX, p.blockDimY, p.blockDimZ}, p.sharedMemBytes};
}

Call extended(const void* parameters) {
  const auto& p = *static_cast<const cuLaunchKernelEx_params*>(parameters);
  const CUlaunchConfig& c = *p.config;
  Call call{
      p.f, {c.gridDimX, c.gridDimY, c.gridDimZ}, {c.blockDimX, c.blockDimY, c.blockDimZ}, c.sharedMemBytes};
  for (unsigned i = 0; i < c.numAttrs; ++i) {
    if (c.attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& d = c.attrs[i].value.clusterDim;
    call.cluster = static_cast<int>(d.x * d.y * d.z);
  }
  return call;
}

constexpr CUpti_CallbackId launches[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz};

// Both spellings of a function take the same arguments.
Call read_call(CUpti_CallbackId id, const void* parameters) {
  if (id == launches[0] || id == launches[1]) return plain<cuLaunchKernel_params>(parameters);
  if (id == launches[2] || id == launches[3]) return extended(parameters);
  return plain<cuLaunchCooperativeKernel_params>(parameters);
}

Shape read_shape(const Driver& driver, const Call& call, const char* name) {
  Shape s;
  s.kernel = name ? name : "";
  s.grid = static_cast<double>(call.grid[0]) * call.grid[1] * call.grid[2];
  s.block = static_cast<int>(call.block[0] * call.block[1] * call.block[2]);
  s.dynamic_shared_memory = static_cast<int>(call.shared);
  s.cluster = call.cluster;
  auto read = [&](CUfunction_attribute which, int& value) {
    return read_attribute(driver, call.function, which, value);
  };
  s.has_attributes = read(CU_FUNC_ATTRIBUTE_NUM_REGS, s.registers) &&
                     read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, s.static_shared_memory);
  int x = 0, y = 0, z = 0;  // of __cluster_dims__; 0 without
  if (s.cluster == 0 && read(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, x) &&
      read(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, y) && read(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, z))
    s.cluster = x * y * z;
  int active = 0;
  if (driver.active_blocks &&
      driver.active_blocks(&active, call.function, s.block, call.shared) == CUDA_SUCCESS)
    s.active_blocks = active;
  return s;
}

}  // namespace

struct Recorder::State {
  Driver driver;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  CUpti_SubscriberHandle subscriber = nullptr;
  std::mutex guard;
  bool on = false;
  std::vector<Shape> shapes;

  // Read here and not later: the kernel's module may be gone after the call. At the exit it has been loaded.
  static void CUPTIAPI saw(void* self, CUpti_CallbackDomain, CUpti_CallbackId id, const void* data) noexcept {
    auto& state = *static_cast<State*>(self);
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    if (call.callbackSite != CUPTI_API_EXIT || !call.functionReturnValue ||
        *static_cast<const CUresult*>(call.functionReturnValue) != CUDA_SUCCESS)
      return;
    std::lock_guard lock(state.guard);
    if (!state.on) return;
    try {
      state.shapes.push_back(read_shape(state.driver, read_call(id, call.functionParams), call.symbolName));
    } catch (...) {
      state.on = false;  // out of memory: the count no longer fits, so no launch is named
    }
  }
};

Recorder::Recorder(void* cupti) : state_(std::make_unique<State>()) {
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiEnableCallback) enable;
  if (!find(cupti, "cuptiSubscribe", subscribe) || !find(cupti, "cuptiEnableCallback", enable) ||
      !find(cupti, "cuptiUnsubscribe", state_->unsubscribe))
    return;
  if (subscribe(&state_->subscriber, State::saw, state_.get()) != CUPTI_SUCCESS) {
    state_->subscriber = nullptr;
    return;
  }
  for (CUpti_CallbackId id : launches) enable(1, state_->subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
}

Recorder::~Recorder() {
  if (state_->subscriber) state_->unsubscribe(state_->subscriber);
}

bool Recorder::listening() const { return state_->subscriber != nullptr; }

void Recorder::begin() {
  std::lock_guard lock(state_->guard);
  state_->shapes.clear();
  state_->on = true;
}

std::vector<Shape> Recorder::end() {
  std::lock_guard lock(state_->guard);
  state_->on = false;
  return std::move(state_->shapes);
}

bool read_chip(Chip& chip) {
  Driver driver;
  CUdevice device = 0;
  if (!driver.context_device || !driver.device_attribute || driver.context_device(&device) != CUDA_SUCCESS)
    return false;
  auto read = [&](CUdevice_attribute which, int& value) {
    return driver.device_attribute(&value, which, device) == CUDA_SUCCESS;
  };
  return read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, chip.major) &&
         read(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, chip.multiprocessors) &&
         read(CU_DEVICE_ATTRIBUTE_WARP_SIZE, chip.warp_size) &&
         read(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, chip.blocks) &&
         read(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, chip.threads) &&
         read(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, chip.registers) &&
         read(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, chip.registers_per_block) &&
         read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, chip.shared_memory) &&
         read(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, chip.reserved_shared_memory);
}

}  // namespace explog::profiler

#else

namespace explog::profiler {
struct Recorder::State {};
Recorder::Recorder(void*) : state_(std::make_unique<State>()) {}
Recorder::~Recorder() = default;
void Recorder::begin() {}
std::vector<Shape> Recorder::end() { return {}; }
bool Recorder::listening() const { return false; }
bool read_chip(Chip&) { return false; }
}  // namespace explog::profiler

#endif
